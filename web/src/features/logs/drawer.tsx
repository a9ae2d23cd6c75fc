import type { LogEntry } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { DetailsDrawer } from '../../components/data-table/details-drawer.tsx';
import type { DataTableModel } from '../../components/data-table/use-data-table.ts';
import { Failure } from '../../components/ui/failure.tsx';
import { ShadedText } from '../../components/ui/shaded-text.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { describeUser } from './describe-entry.ts';
import styles from './drawer.module.css';
import { hasFailed, LogError } from './error.tsx';
import { IntentCorrection } from './intent-correction.tsx';
import { IntentReasons } from './intent-reasons.tsx';
import { LogPassage } from './passage.tsx';
import { explanationQuery, logQuery } from './queries.ts';
import { LogScore } from './score.tsx';
import { LogStats } from './stats.tsx';

interface LogDrawerProps {
  model: DataTableModel<LogEntry>;
  /** The request's id, which the list need not hold. */
  id: string;
}

/** Log Details: one request whole, beside the list. */
export function LogDrawer({ model, id }: LogDrawerProps) {
  const listed = model.rows?.find((row) => row.id === id)?.original;
  const answer = useQuery(logQuery(id, listed));
  const { data: log, isPlaceholderData } = answer;
  const failure = describeFailure(answer, 'Unknown error', 'Error loading logs');
  return (
    <DetailsDrawer model={model} label="Log Details" heading={<Heading id={id} log={log} />}>
      {failure && <Failure {...failure} />}
      {!log && !failure && <p className={styles.loading}>Loading log...</p>}
      {log && (
        <div className={styles.content} aria-busy={isPlaceholderData}>
          <LogStats log={log} />
          {hasFailed(log) && (
            <section aria-label="Error Message">
              <h3>Error Message</h3>
              <LogError log={log} />
            </section>
          )}
          <JudgedLog key={id} log={log} isWhole={!isPlaceholderData} />
          <LogPassage title="Response" text={log.response} />
        </div>
      )}
    </DetailsDrawer>
  );
}

/** What was asked, and how it was judged. */
function JudgedLog({ log, isWhole }: { log: LogEntry; isWhole: boolean }) {
  const { data: reading } = useQuery(explanationQuery(log));
  return (
    <>
      <LogScore log={log}>
        {reading && <IntentReasons reading={reading} />}
        {log.intent_classification !== null && log.prompt && <IntentCorrection log={log} />}
      </LogScore>
      <LogPassage title="Prompt" text={log.prompt}>
        {reading && isWhole && log.prompt !== null ? (
          <ShadedText text={log.prompt} words={reading.words} intent={reading.intent} />
        ) : undefined}
      </LogPassage>
    </>
  );
}

function Heading({ id, log }: { id: string; log: LogEntry | undefined }) {
  return (
    <>
      <code className={styles.id}>{id}</code>
      <h2>{log ? [describeUser(log), log.model].filter(Boolean).join(' · ') : 'Log Details'}</h2>
    </>
  );
}
