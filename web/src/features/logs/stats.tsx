import type { LogEntry } from '@sluice/contract';
import type { ReactNode } from 'react';
import { formatCount } from '../../lib/format-number.ts';
import { formatDuration, formatFullTime } from '../../lib/format-time.ts';
import { describeProvider, describeUser, describeWholeTask } from './describe-entry.ts';
import styles from './stats.module.css';
import { LogStatus } from './status.tsx';

/** A request's overview and its tokens: who, what, when, how it ended. */
export function LogStats({ log }: { log: LogEntry }) {
  return (
    <>
      <dl className={`num ${styles.overview}`}>
        <Card name="Timestamp" more={log.is_stream ? 'Streamed' : 'Not streamed'}>
          {formatFullTime(log.timestamp)}
        </Card>
        <Card name="Status" more={describeOutcome(log)}>
          <LogStatus status={log.status} />
        </Card>
        <Card name="User" more={log.task_id === null ? 'No Task' : `Task ${describeWholeTask(log)}`}>
          {describeUser(log)}
          {log.user_email && <div className={styles.second}>{log.user_email}</div>}
          {log.api_key_name && <div className={styles.second}>API key {log.api_key_name}</div>}
        </Card>
        <Card name="Model" more={describeProvider(log)}>
          {log.model ?? 'None'}
        </Card>
      </dl>
      <section aria-label="Token Usage">
        <dl className={`num ${styles.stats}`}>
          <Stat name="Response Time">{formatDuration(log.response_time_ms)}</Stat>
          <Stat name="Prompt Tokens">{formatCount(log.prompt_tokens)}</Stat>
          <Stat name="Completion Tokens">{formatCount(log.completion_tokens)}</Stat>
          <Stat name="Total Tokens">{formatCount(log.openai_tokens_used)}</Stat>
        </dl>
      </section>
    </>
  );
}

function describeOutcome({ http_status, first_byte_ms }: LogEntry): string {
  const firstByte = first_byte_ms === null ? null : `first byte after ${formatDuration(first_byte_ms)}`;
  return [`HTTP ${http_status}`, firstByte].filter(Boolean).join(', ');
}

function Card({ name, more, children }: { name: string; more: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {children}
        <div className={styles.second}>{more}</div>
      </dd>
    </div>
  );
}

function Stat({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
