import type { LogEntry } from '@sluice/contract';
import { Link } from '@tanstack/react-router';
import { describeProvider, describeUser, describeWholeTask } from './describe-entry.ts';

interface LogLinkProps {
  log: LogEntry;
}

/** In a list, the row is the tab stop instead of the link. */
export function UserLink({ log, tabIndex }: LogLinkProps & { tabIndex?: -1 }) {
  if (log.user_id === null) return describeUser(log);
  return (
    <Link to="/admin/users" search={{ open: log.user_id }} tabIndex={tabIndex}>
      {describeUser(log)}
    </Link>
  );
}

export function TaskLink({ log }: LogLinkProps) {
  if (log.task_id === null) return 'No Task';
  return (
    <Link to="/admin/tasks" search={{ open: log.task_id }}>
      {describeWholeTask(log)}
    </Link>
  );
}

export function KeyLink({ log }: LogLinkProps) {
  if (log.api_key_name === null) return 'No API key, sent from the console';
  if (log.user_id === null) return log.api_key_name;
  return (
    <Link to="/admin/users" search={{ open: log.user_id }}>
      {log.api_key_name}
    </Link>
  );
}

export function ModelLink({ log }: LogLinkProps) {
  if (log.model === null) return 'None';
  return (
    <Link to="/admin/llm-providers" search={{ tab: 'models', filter: log.model }}>
      {log.model}
    </Link>
  );
}

export function ProviderLink({ log }: LogLinkProps) {
  if (log.provider_key === null) return describeProvider(log);
  return <Link to="/admin/llm-providers">{describeProvider(log)}</Link>;
}

export function AlikeLinks({ log }: LogLinkProps) {
  const { user_id: user, task_id: task, model, error_code: reason } = log;
  return (
    <nav aria-label="Similar requests">
      {user !== null && (
        <Link {...place} search={{ user }}>
          More by this user
        </Link>
      )}
      {task !== null && (
        <Link {...place} search={{ task }}>
          More for this task
        </Link>
      )}
      {model !== null && (
        <Link {...place} search={{ model }}>
          More with this model
        </Link>
      )}
      {reason !== null && (
        <Link {...place} search={{ reason }}>
          More with this reason
        </Link>
      )}
    </nav>
  );
}

const place = { to: '/admin/logs' } as const;
