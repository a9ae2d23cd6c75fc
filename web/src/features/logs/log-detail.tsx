import type { LogEntry } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CopyButton } from '../../components/ui/copy-button.tsx';
import { Failure } from '../../components/ui/failure.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { formatCount } from '../../lib/format-number.ts';
import { formatDuration, formatFullTime } from '../../lib/format-time.ts';
import { messageOf } from '../../lib/message-of.ts';
import styles from './log-detail.module.css';
import { LogStatus } from './log-status.tsx';
import { describeIntent, describeScoreChange, describeTokens, describeUser } from './log-text.ts';
import { logQuery } from './logs-queries.ts';

/** One request in full, under its row. */
export function LogDetail({ listed }: { listed: LogEntry }) {
  const { data: log = listed, error, isPlaceholderData, refetch } = useQuery(logQuery(listed));
  return (
    <section aria-label={`Request ${log.id}`} aria-busy={isPlaceholderData} className={styles.detail}>
      {error && (
        <Failure message={`Error loading logs: ${messageOf(error)}`} error={error} onRetry={refetch} />
      )}
      <Figures log={log} />
      {(log.error_message ?? log.error_code) !== null && <ErrorText log={log} />}
      <div className={styles.texts}>
        <Text title="Prompt" text={log.prompt} />
        <Text title="Response" text={log.response} />
      </div>
      <Facts log={log} />
    </section>
  );
}

function Figures({ log }: { log: LogEntry }) {
  return (
    <dl className={styles.figures}>
      <Figure name="Response time">{formatDuration(log.response_time_ms)}</Figure>
      {log.first_byte_ms !== null && <Figure name="First byte">{formatDuration(log.first_byte_ms)}</Figure>}
      <Figure name="Prompt tokens">{formatCount(log.prompt_tokens)}</Figure>
      <Figure name="Completion tokens">{formatCount(log.completion_tokens)}</Figure>
      <Figure name="Total tokens">{formatCount(log.openai_tokens_used)}</Figure>
    </dl>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="num">{children}</dd>
    </div>
  );
}

function ErrorText({ log }: { log: LogEntry }) {
  return (
    <div className={styles.error}>
      <StatusMark kind="bad">{log.error_message ?? 'No message'}</StatusMark>
      {log.error_code !== null && <code>{log.error_code}</code>}
    </div>
  );
}

function Text({ title, text }: { title: string; text: string | null }) {
  return (
    <div className={styles.text}>
      <div className={styles.textHead}>
        <h3>{title}</h3>
        {text ? <CopyButton text={text} label={`Copy ${title.toLowerCase()}`} /> : null}
      </div>
      {text === null || text === '' ? (
        <p className={styles.none}>{text === null ? 'Not recorded' : 'Empty'}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section className={styles.textBody} tabIndex={0} aria-label={title}>
          {text}
        </section>
      )}
    </div>
  );
}

function Facts({ log }: { log: LogEntry }) {
  const provider = new Set([log.provider_instance_name, log.provider_key].filter((name) => name !== null));
  const facts: readonly [string, ReactNode][] = [
    ['Request ID', <code key="id">{log.id}</code>],
    ['Timestamp', formatFullTime(log.timestamp)],
    ['Status', <LogStatus key="status" status={log.status} />],
    ['HTTP status', `${log.http_status}${log.is_stream ? ', streamed' : ''}`],
    ['User', [describeUser(log), log.user_email].filter(Boolean).join(' · ')],
    ['API key', log.api_key_name ?? 'None'],
    ['Model', log.model === null ? 'None' : <code key="model">{log.model}</code>],
    ['Provider', provider.size === 0 ? 'None reached' : [...provider].join(' · ')],
    ['Token usage', describeTokens(log)],
    ['Task ID', log.task_id ?? 'No Task'],
    ['Intent', describeIntent(log)],
    ['Score change', describeScoreChange(log)],
  ];
  return (
    <dl className={`num ${styles.facts}`}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
