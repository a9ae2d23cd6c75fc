import { Loader } from '@mantine/core';
import type { ComparisonResult } from '@sluice/contract';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { formatUsdExact } from '#lib/format-money.ts';
import { formatCount } from '#lib/format-number.ts';
import { formatSeconds, localizeInstants } from '#lib/format-time.ts';
import styles from './results.module.css';

interface Passage {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Comparing longer texts would block the page. */
export const wordsMax = 1_500;

/** Returns `null` if a text has more than `wordsMax` words. */
export function findDifferences(before: string, after: string): readonly Passage[] | null {
  const [old, now] = [splitWords(before), splitWords(after)];
  if (old.length > wordsMax || now.length > wordsMax) return null;
  const lengths = measureCommon(old, now);
  const passages: Passage[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [gone = '', come = ''] = [old[i], now[j]];
    if (i < old.length && j < now.length && gone === come) {
      passages.push({ kind: 'same', text: come });
      i++;
      j++;
    } else if (
      j >= now.length ||
      (i < old.length && lengthAt(lengths, i + 1, j) >= lengthAt(lengths, i, j + 1))
    ) {
      passages.push({ kind: 'removed', text: gone });
      i++;
    } else {
      passages.push({ kind: 'added', text: come });
      j++;
    }
  }
  return joinAlike(passages);
}

/** Each word includes the trailing white space. */
const splitWords = (text: string): string[] => text.match(/\S+\s*|^\s+/g) ?? [];

/** Returns a table with the length of the longest common subsequence of both suffixes for each pair of positions. */
function measureCommon(old: readonly string[], now: readonly string[]): Uint16Array[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i--) {
    const row = lengths[i];
    if (!row) continue;
    for (let j = now.length - 1; j >= 0; j--) {
      row[j] =
        old[i] === now[j]
          ? lengthAt(lengths, i + 1, j + 1) + 1
          : Math.max(lengthAt(lengths, i + 1, j), lengthAt(lengths, i, j + 1));
    }
  }
  return lengths;
}

const lengthAt = (lengths: readonly Uint16Array[], i: number, j: number) => lengths[i]?.[j] ?? 0;

function joinAlike(passages: readonly Passage[]): Passage[] {
  const joined: Passage[] = [];
  for (const { kind, text } of passages) {
    const last = joined.at(-1);
    if (last?.kind === kind) joined[joined.length - 1] = { kind, text: last.text + text };
    else joined.push({ kind, text });
  }
  return joined;
}

const marks = {
  pending: { kind: 'pending', word: 'Pending' },
  completed: { kind: 'ok', word: 'Completed' },
  failed: { kind: 'bad', word: 'Failed' },
} as const;

interface ResultCardProps {
  result: ComparisonResult;
  /** Labels such as `Fastest`. */
  merits: readonly string[];
  /** Text to show the differences from, or `null`. */
  base: string | null;
}

export function ResultCard({ result, merits, base }: ResultCardProps) {
  const { status, error_message, response_text } = result;
  const { title, model } = nameAnswer(result);
  const { kind, word } = marks[status];
  const hasFailed = status === 'failed' || error_message !== null;
  const isWaiting = status === 'pending' && !hasFailed;
  return (
    <li
      className={styles.card}
      aria-label={model === null ? title : `${title} ${model}`}
      aria-busy={isWaiting}
    >
      <div className={styles.head}>
        <div className={styles.model}>
          <h3>{title}</h3>
          {model !== null && <code>{model}</code>}
        </div>
        <StatusMark kind={kind}>{word}</StatusMark>
      </div>
      {isWaiting && (
        <p className={styles.waiting}>
          <Loader size={14} aria-hidden />
          {response_text ? 'Answering...' : 'Waiting for response...'}
        </p>
      )}
      {hasFailed && <p className={styles.error}>{localizeInstants(error_message || 'Request failed')}</p>}
      {response_text && <ResponseText text={response_text} model={model ?? title} base={base} />}
      {status === 'completed' && !response_text && <p className="quiet">The answer has no text.</p>}
      {!isWaiting && model !== null && <Figures result={result} merits={merits} />}
    </li>
  );
}

function Figures({ result, merits }: Omit<ResultCardProps, 'base'>) {
  const { status, cost, response_time_ms, total_tokens, request_id, response_text, model_name } = result;
  return (
    <div className={styles.foot}>
      {status === 'completed' && (
        <dl className={styles.figures}>
          <Figure label="Cost">{cost === null ? 'No price' : formatUsdExact(cost, 6)}</Figure>
          <Figure label="Response time">
            {response_time_ms === null ? '–' : formatSeconds(response_time_ms)}
          </Figure>
          <Figure label="Tokens">{total_tokens === null ? '–' : formatCount(total_tokens)}</Figure>
        </dl>
      )}
      <div className={styles.tools}>
        {merits.map((merit) => (
          <Badge key={merit} tone="accent">
            {merit}
          </Badge>
        ))}
        {request_id !== null && (
          <Link to="/admin/logs" search={{ open: request_id }}>
            View log
          </Link>
        )}
        {response_text && (
          <CopyButton text={response_text} label={`Copy the response of ${model_name ?? ''}`} />
        )}
      </div>
    </div>
  );
}

function Figure({ label, children }: { label: string; children: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="num">{children}</dd>
    </div>
  );
}

interface ResponseTextProps {
  text: string;
  model: string;
  /** Text of another model to show the differences from, or `null`. */
  base: string | null;
}

function ResponseText({ text, model, base }: ResponseTextProps) {
  const passages = useMemo(() => (base === null ? null : findDifferences(base, text)), [base, text]);
  return (
    <>
      {base !== null && passages === null && (
        <p className="quiet">Differences are shown up to {wordsMax} words.</p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <section className={styles.text} aria-label={`Response of ${model}`} tabIndex={0}>
        {passages === null ? text : passages.map(drawPassage)}
      </section>
    </>
  );
}

function drawPassage({ kind, text }: Passage, index: number) {
  // Keyed by position, because passages have no id.
  if (kind === 'added') return <ins key={index}>{text}</ins>;
  return kind === 'removed' ? <del key={index}>{text}</del> : text;
}

/** Adds the letter if the comparison is blind. */
export function nameAnswer({ label, provider_name, model_name }: ComparisonResult): {
  title: string;
  model: string | null;
} {
  if (model_name === null) return { title: `Answer ${label}`, model: null };
  return { title: label === null ? `${provider_name}` : `${label}: ${provider_name}`, model: model_name };
}
