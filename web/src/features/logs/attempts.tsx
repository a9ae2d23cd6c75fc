import type { ProviderCall } from '@sluice/contract';
import { PanelList } from '../../components/ui/panel-list.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { formatDuration } from '../../lib/format-time.ts';
import styles from './attempts.module.css';

/** Attempts in order, each with instance, outcome and duration. */
export function LogAttempts({ calls }: { calls: readonly ProviderCall[] }) {
  return (
    <section aria-label="Attempts">
      <h3>Attempts</h3>
      <PanelList label="Attempts" items={calls} noun="attempts">
        {(call) => (
          <li key={call.started_ms} className={styles.attempt}>
            <span className={styles.target}>
              {call.provider_instance_name} · {call.model}
            </span>
            <StatusMark kind={call.error_code === null ? 'ok' : 'bad'}>{describeAnswer(call)}</StatusMark>
            <span className={`num ${styles.time}`}>
              {formatDuration(call.duration_ms)}, begun after {formatDuration(call.started_ms)}
            </span>
            {call.message !== null && <span className={styles.message}>{call.message}</span>}
          </li>
        )}
      </PanelList>
    </section>
  );
}

function describeAnswer({ http_status: status, error_code: code, cause }: ProviderCall): string {
  if (code === null) return 'Answered';
  const answer = status === null ? 'No answer' : `HTTP ${status}`;
  return [answer, code, cause].filter(Boolean).join(' · ');
}
