import type { LogEntry } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { DetailsDrawer } from '../../components/data-table/details-drawer.tsx';
import type { DataTableModel } from '../../components/data-table/use-data-table.ts';
import { CopyButton } from '../../components/ui/copy-button.tsx';
import { Failure } from '../../components/ui/failure.tsx';
import { Markdown } from '../../components/ui/markdown.tsx';
import { ShadedText } from '../../components/ui/shaded-text.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { LogAttempts } from './attempts.tsx';
import { LogBody } from './body.tsx';
import { describeMissingText, describeUser } from './describe-entry.ts';
import styles from './drawer.module.css';
import { hasFailed, LogError } from './error.tsx';
import { IntentCorrection } from './intent-correction.tsx';
import { IntentReasons } from './intent-reasons.tsx';
import { AlikeLinks } from './links.tsx';
import { LogPassage } from './passage.tsx';
import { explanationQuery, logQuery } from './queries.ts';
import { LogScore } from './score.tsx';
import { LogStats } from './stats.tsx';

interface LogDrawerProps {
  model: DataTableModel<LogEntry>;
  /** Request id, which need not be on the loaded page. */
  id: string;
  timeZone: string;
}

/** Log Details: one request in full, next to the list. */
export function LogDrawer({ model, id, timeZone }: LogDrawerProps) {
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
          {hasFailed(log) && (
            <section aria-label="Error Message">
              <h3>Error Message</h3>
              <LogError log={log} />
            </section>
          )}
          {log.provider_calls && <LogAttempts calls={log.provider_calls} />}
          <JudgedLog key={id} log={log} isWhole={!isPlaceholderData} />
          <LogStats log={log} timeZone={timeZone} />
          <AlikeLinks log={log} />
        </div>
      )}
    </DetailsDrawer>
  );
}

/** Prompt, response and classification. */
function JudgedLog({ log, isWhole }: { log: LogEntry; isWhole: boolean }) {
  const { data: reading } = useQuery(explanationQuery(log));
  return (
    <>
      <LogPassage title="Prompt" text={log.prompt} missing={describeMissingText(log)}>
        {reading && isWhole && log.prompt !== null ? (
          <ShadedText text={log.prompt} words={reading.words} intent={reading.intent} />
        ) : undefined}
      </LogPassage>
      <LogPassage title="Response" text={log.response} missing={describeMissingText(log)}>
        {log.response !== null && <Markdown text={log.response} />}
      </LogPassage>
      <LogBody key={log.id} log={log} />
      <LogScore log={log}>
        {reading && <IntentReasons reading={reading} />}
        {log.intent_classification !== null && log.prompt && <IntentCorrection log={log} />}
      </LogScore>
    </>
  );
}

function Heading({ id, log }: { id: string; log: LogEntry | undefined }) {
  return (
    <>
      <div className={styles.request}>
        <code className={styles.id}>{id}</code>
        <CopyButton text={id} label="Copy request ID" />
      </div>
      <h2>{log ? [describeUser(log), log.model].filter(Boolean).join(' · ') : 'Log Details'}</h2>
    </>
  );
}
