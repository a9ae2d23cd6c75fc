import { Button } from '@mantine/core';
import {
  type IntentName,
  type IntentReading,
  type IntentWord,
  intentNames,
  type LogEntry,
} from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { DetailsDrawer } from '#components/data-table/details-drawer.tsx';
import type { DataTableModel } from '#components/data-table/use-data-table.ts';
import { SelectField } from '#components/forms/select-field.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Markdown } from '#components/ui/markdown.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { ShadedText } from '#components/ui/shaded-text.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { describeFailure, messageOf } from '#lib/describe-failure.ts';
import { formatLabel } from '#lib/format-label.ts';
import { formatShare, formatSigned } from '#lib/format-number.ts';
import { describeMissingText } from './describe-entry.ts';
import styles from './drawer.module.css';
import { LogOverview, LogScore } from './figures.tsx';
import intentCorrectionStyles from './intent-correction.module.css';
import intentReasonsStyles from './intent-reasons.module.css';
import { AlikeLinks } from './links.tsx';
import { explanationQuery, logQuery, useCorrectIntent } from './queries.ts';
import { LogRefusal } from './refusal.tsx';
import { hasFailed, LogAttempts, LogBody, LogError, LogPassage, TextCutNotice } from './sections.tsx';
import { LogTokenUsage } from './token-usage.tsx';

/** Smaller weights would be displayed as 0. */
const leastWeight = 0.005;

export type WeighedWord = Pick<IntentWord, 'text' | 'weight'>;

/** Sums the weights of each distinct word, by absolute weight in descending order. */
export function findStrongestWords(words: readonly IntentWord[], count: number): WeighedWord[] {
  const weights = new Map<string, number>();
  for (const { text, weight } of words) {
    const word = text.toLowerCase();
    weights.set(word, (weights.get(word) ?? 0) + weight);
  }
  return [...weights]
    .map(([text, weight]) => ({ text, weight }))
    .filter(({ weight }) => Math.abs(weight) >= leastWeight)
    .sort((one, other) => Math.abs(other.weight) - Math.abs(one.weight))
    .slice(0, count);
}

const shownMax = 6;

/** Words with the largest weights for or against the classified intent. */
function IntentReasons({ reading: { intent, probabilities, words } }: { reading: IntentReading }) {
  const strongest = findStrongestWords(words, shownMax);
  const ranked = Object.entries(probabilities).sort(([, one], [, other]) => other - one);
  // Only the highest probability is rounded up, like the recorded confidence. Otherwise the displayed probabilities
  // could exceed 100% in total.
  const shown = ranked.map(([name, probability], place) => {
    const share = place === 0 ? probability : Math.floor(probability * 1_000) / 1_000;
    return { name, share, text: `${formatLabel(name)} ${formatShare(share)}` };
  });
  const own = shown.find(({ name }) => name === intent)?.text;
  const [first, second] = shown;
  const comparison =
    first?.name === intent
      ? `The current classifier gives ${[first, second].flatMap((one) => (one?.share ? one.text : [])).join(', then ')}.`
      : `The request was recorded as ${formatLabel(intent)}. The current classifier would give ${first?.text} and ${own}, and the words are its reasons.`;
  return (
    <>
      <p className={intentReasonsStyles.text}>
        {strongest.length === 0
          ? `No single word supported ${formatLabel(intent)}.`
          : `Words with positive weights supported ${formatLabel(intent)}, words with negative weights counted against it. They are shaded in the prompt below.`}
        {` ${comparison}`}
      </p>
      <ol className={intentReasonsStyles.words} aria-label="Strongest words">
        {strongest.map(({ text, weight }) => (
          <li
            key={text}
            className={weight > 0 ? intentReasonsStyles.speaksFor : intentReasonsStyles.speaksAgainst}
          >
            <span className={intentReasonsStyles.word}>{text}</span>{' '}
            <span className="num">{formatSigned(weight)}</span>
            <span className="visually-hidden">{weight > 0 ? ' for it' : ' against it'}</span>
          </li>
        ))}
      </ol>
    </>
  );
}

interface LogDrawerProps {
  model: DataTableModel<LogEntry>;
  /** The loaded page need not contain the request. */
  id: string;
  timeZone: string;
}

export function LogDrawer({ model, id, timeZone }: LogDrawerProps) {
  const listed = model.rows?.find((row) => row.id === id)?.original;
  const answer = useQuery(logQuery(id, listed));
  const { data: log, isPlaceholderData } = answer;
  const failure = describeFailure(answer, 'Unknown error', 'Error loading logs');
  return (
    <DetailsDrawer model={model} label="Log Details" heading={<h2>Log Details</h2>}>
      <RequestIds id={id} log={log} />
      {failure && <Failure {...failure} />}
      {!log && !failure && <p className={styles.loading}>Loading log...</p>}
      {log && (
        <div className={styles.content} aria-busy={isPlaceholderData}>
          <LogOverview log={log} timeZone={timeZone} />
          <LogRefusal log={log} />
          <JudgedLog key={id} log={log} isWhole={!isPlaceholderData} />
          {hasFailed(log) && (
            <section aria-label="Error Message">
              <h3>Error Message</h3>
              <LogError log={log} />
            </section>
          )}
          <AlikeLinks log={log} />
        </div>
      )}
    </DetailsDrawer>
  );
}

function JudgedLog({ log, isWhole }: { log: LogEntry; isWhole: boolean }) {
  const { data: reading } = useQuery(explanationQuery(log));
  return (
    <>
      <LogScore log={log}>
        {reading && <IntentReasons reading={reading} />}
        {log.intent_classification !== null && log.prompt && <IntentCorrection log={log} />}
      </LogScore>
      <LogTokenUsage log={log} />
      {log.provider_calls && <LogAttempts calls={log.provider_calls} />}
      {log.is_text_cut && <TextCutNotice />}
      <LogPassage title="Prompt" text={log.prompt} missing={describeMissingText(log)}>
        {reading && isWhole && log.prompt !== null ? (
          <ShadedText text={log.prompt} words={reading.words} intent={reading.intent} />
        ) : undefined}
      </LogPassage>
      <LogPassage title="Response" text={log.response} missing={describeMissingText(log)}>
        {log.response !== null && <Markdown text={log.response} />}
      </LogPassage>
      <LogBody key={log.id} log={log} />
    </>
  );
}

function RequestIds({ id, log }: { id: string; log: LogEntry | undefined }) {
  return (
    <div className={styles.ids}>
      <div className={styles.request}>
        <code className={styles.id}>{id}</code>
        <CopyButton text={id} label="Copy request ID" />
      </div>
      {log?.client_request_id && (
        <p className={styles.client}>
          Client's request ID <code>{log.client_request_id}</code>
        </p>
      )}
    </div>
  );
}

function IntentCorrection({ log: { id, ...log } }: { log: LogEntry }) {
  const { mutate: correct, data: correction, isPending } = useCorrectIntent();
  const corrected = correction?.intent ?? log.corrected_intent;
  const known = corrected ?? intentNames.find((name) => name === log.intent_classification);
  const [chosen, setChosen] = useState<IntentName | undefined>(known);
  const explanationId = useId();
  const save = () => {
    if (chosen === undefined || chosen === known || isPending) return;
    correct(
      { params: { id }, body: { intent: chosen } },
      {
        onSuccess: ({ intent }) => showSuccess(`Corrected to ${intent}`),
        onError: (error) => showError(messageOf(error, 'The intent was not corrected')),
      },
    );
  };
  return (
    <div className={intentCorrectionStyles.correction}>
      <SelectField
        label="Correct the intent"
        className={intentCorrectionStyles.choice}
        value={chosen}
        options={intentNames.map((name) => ({ value: name, label: formatLabel(name) }))}
        aria-describedby={explanationId}
        onChange={(intent) => setChosen(intentNames.find((name) => name === intent))}
      />
      <Button variant="default" onClick={save} disabled={chosen === known} aria-disabled={isPending}>
        Correct
      </Button>
      <p id={explanationId} className={intentCorrectionStyles.text}>
        {corrected
          ? `Corrected to ${corrected}. The prompt will be used to train the next model. The log entry is unchanged.`
          : 'The prompt will be used to train the next model. The log entry and the score are unchanged.'}
      </p>
    </div>
  );
}
