import type { LogEntry } from '@sluice/contract';
import type { ReactNode } from 'react';
import { formatCount } from '../../lib/format-number.ts';
import { formatDuration, formatFullTime } from '../../lib/format-time.ts';
import { describeCost } from './describe-entry.ts';
import { KeyLink, ModelLink, ProviderLink, TaskLink, UserLink } from './links.tsx';
import styles from './stats.module.css';
import { LogStatus } from './status.tsx';

/** Overview of a request: user, model, time, status, tokens and cost. */
export function LogStats({ log, timeZone }: { log: LogEntry; timeZone: string }) {
  return (
    <>
      <dl className={`num ${styles.overview}`}>
        <Card name="Timestamp" more={log.is_stream ? 'Streamed' : 'Not streamed'}>
          {formatFullTime(log.timestamp, timeZone)}
        </Card>
        <Card name="Status" more={describeOutcome(log)}>
          <LogStatus log={log} />
        </Card>
        <Card name="User" more={log.user_email}>
          <UserLink log={log} />
        </Card>
        <Card name="Task">
          <TaskLink log={log} />
        </Card>
        <Card name="Model" more={<ProviderLink log={log} />}>
          <ModelLink log={log} />
        </Card>
        <Card name="API Key" more={log.client_request_id && `Client's request ID ${log.client_request_id}`}>
          <KeyLink log={log} />
        </Card>
      </dl>
      <section aria-label="Token Usage">
        <dl className={`num ${styles.stats}`}>
          <Stat name="Response Time">{formatDuration(log.response_time_ms)}</Stat>
          <Stat name="Prompt Tokens">{formatCount(log.prompt_tokens)}</Stat>
          <Stat name="Completion Tokens">{formatCount(log.completion_tokens)}</Stat>
          <Stat name="Total Tokens">{formatCount(log.openai_tokens_used)}</Stat>
          <Stat name="Cost">{describeCost(log)}</Stat>
        </dl>
      </section>
    </>
  );
}

function describeOutcome({ http_status, first_byte_ms }: LogEntry): string {
  const firstByte = first_byte_ms === null ? null : `first byte after ${formatDuration(first_byte_ms)}`;
  return [`HTTP ${http_status}`, firstByte].filter(Boolean).join(', ');
}

function Card({ name, more, children }: { name: string; more?: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {children}
        {more && <div className={styles.second}>{more}</div>}
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
