import type { LogEntry } from '@sluice/contract';
import type { ReactNode } from 'react';
import { IntentBadge } from '#components/ui/badge.tsx';
import { ReceiptList } from '#components/ui/receipt-list.tsx';
import { formatCount, formatScore, formatShare, formatSigned } from '#lib/format-number.ts';
import { formatDuration, formatFullTime } from '#lib/format-time.ts';
import { describeCost, readScores } from './describe-entry.ts';
import { KeyLink, ModelLink, ProviderLink, TaskLink, UserLink } from './links.tsx';
import styles from './score.module.css';
import statsStyles from './stats.module.css';
import { LogStatus } from './status.tsx';

/** Classified intent with its reasons, and the change of the user's score. */
export function LogScore({ log, children }: { log: LogEntry; children?: ReactNode }) {
  const { intent_classification: intent, confidence_score: confidence } = log;
  return (
    <>
      <section aria-label="Intent Classification">
        <div className={styles.intent}>
          <h3>Intent Classification</h3>
          {intent === null ? (
            <span className={styles.none}>Not classified</span>
          ) : (
            <IntentBadge intent={intent} />
          )}
          {confidence !== null && <span className={`num ${styles.none}`}>{formatShare(confidence)}</span>}
        </div>
        {children}
      </section>
      <section aria-label="Deviation Scoring">
        <h3>Deviation Scoring</h3>
        <Deviation log={log} />
      </section>
    </>
  );
}

function Deviation({ log }: { log: LogEntry }) {
  const scores = readScores(log);
  if (scores === null) return <p className={styles.none}>No change</p>;
  const { before, after, delta } = scores;
  const percent = (share: number) => `${100 * Math.min(Math.max(share, 0), 1)}%`;
  return (
    <>
      <dl className={`num ${styles.scores}`}>
        <Score name="Score Before">{formatScore(before, 3)}</Score>
        <Score name="Score Change" isRising={delta > 0}>
          {formatSigned(delta, 3)}
        </Score>
        <Score name="Score After">{formatScore(after, 3)}</Score>
      </dl>
      <div className={styles.scale} aria-hidden="true">
        <span className={styles.before} style={{ width: percent(Math.min(before, after)) }} />
        <span
          className={delta > 0 ? styles.rise : styles.fall}
          style={{ width: percent(Math.abs(after - before)) }}
        />
      </div>
      {log.deviation_receipts && log.deviation_receipts.length > 0 && (
        <ReceiptList receipts={log.deviation_receipts} total={delta} />
      )}
    </>
  );
}

interface ScoreProps {
  name: string;
  isRising?: boolean;
  children: string;
}

function Score({ name, isRising = false, children }: ScoreProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={isRising ? styles.rising : undefined}>{children}</dd>
    </div>
  );
}

/** Overview of a request: user, model, time, status, tokens and cost. */
export function LogStats({ log, timeZone }: { log: LogEntry; timeZone: string }) {
  return (
    <>
      <dl className={`num ${statsStyles.overview}`}>
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
        <dl className={`num ${statsStyles.stats}`}>
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
        {more && <div className={statsStyles.second}>{more}</div>}
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
