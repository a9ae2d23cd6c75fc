import type { LogEntry } from '@sluice/contract';
import type { ReactNode } from 'react';
import { IntentBadge } from '#components/ui/badge.tsx';
import { ReceiptList } from '#components/ui/receipt-list.tsx';
import { formatQuantity, formatScore, formatShare, formatSigned } from '#lib/format-number.ts';
import { formatDuration, formatFullTime, localizeInstants } from '#lib/format-time.ts';
import { readScores } from './describe-entry.ts';
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

export function LogOverview({ log, timeZone }: { log: LogEntry; timeZone: string }) {
  return (
    <dl className={`num ${statsStyles.overview}`}>
      <Card name="Timestamp" more={log.is_stream ? 'Streamed' : 'Not streamed'}>
        {formatFullTime(log.timestamp, timeZone)}
      </Card>
      <Card
        name="User and Task"
        more={
          <>
            {log.user_email && <div>{log.user_email}</div>}
            <KeyLine log={log} />
          </>
        }
      >
        <UserLink log={log} /> · <TaskLink log={log} />
      </Card>
      <Card
        name="Model and Response Time"
        more={
          <>
            <ProviderLink log={log} />
            {log.provider_key !== null && log.status !== 'refused' && (
              <div>{formatQuantity(log.provider_calls?.length ?? 1, 'attempt')}</div>
            )}
            {log.downgraded_by_budget_id !== null && (
              <div>
                Requested as {log.model_requested}. Budget {log.downgraded_by_budget_id} downgraded it.
              </div>
            )}
            {log.first_byte_ms !== null && <div>First byte after {formatDuration(log.first_byte_ms)}</div>}
          </>
        }
      >
        <ModelLink log={log} /> · {formatDuration(log.response_time_ms)}
      </Card>
      <Card name="Status" more={<Outcome log={log} />}>
        <LogStatus log={log} />
      </Card>
    </dl>
  );
}

function KeyLine({ log }: { log: LogEntry }) {
  return (
    <div>
      {log.api_key_name !== null && 'API key '}
      <KeyLink log={log} />
    </div>
  );
}

function Outcome({ log }: { log: LogEntry }) {
  const { error_message: message, http_status, status } = log;
  return (
    <>
      <div>HTTP {http_status}</div>
      {message !== null && status !== 'refused' && <div>{localizeInstants(message)}</div>}
    </>
  );
}

export function Card({ name, more, children }: { name: string; more?: ReactNode; children: ReactNode }) {
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
