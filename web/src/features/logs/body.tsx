import { type LogBody as Body, type LogEntry, loggedBodyBytesMax } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CopyButton } from '../../components/ui/copy-button.tsx';
import { Failure } from '../../components/ui/failure.tsx';
import { HighlightedCode } from '../../components/ui/highlighted-code.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { formatBytes } from '../../lib/format-bytes.ts';
import styles from './body.module.css';
import { describeMissingText } from './describe-entry.ts';
import { logBodyQuery } from './queries.ts';

/** Complete request body. Loaded only when opened, since reading it is audited. */
export function LogBody({ log }: { log: LogEntry }) {
  const [isOpen, setOpen] = useState(false);
  const answer = useQuery({ ...logBodyQuery(log.id), enabled: isOpen });
  const failure = describeFailure(answer, 'Unknown error', 'Error loading the request');
  return (
    <details className={styles.whole} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Whole request</summary>
      {failure && <Failure {...failure} />}
      {answer.isFetching && !answer.data && <p className={styles.note}>Loading request...</p>}
      {answer.data && <Text log={log} read={answer.data} />}
    </details>
  );
}

/** Longer texts get no syntax colors, which need an element per word. */
const colouredMax = 16 * 1024;

function Text({ log, read }: { log: LogEntry; read: Body }) {
  if (read.body === null) return <p className={styles.note}>{describeMissingText(log)}</p>;
  const text = formatBody(read.body);
  return (
    <>
      <div className={styles.head}>
        <p className={styles.note}>
          {describeSize(read)}
          {read.sha256 !== null && (
            <>
              {' '}
              SHA-256 of the whole: <code className={styles.hash}>{read.sha256}</code>
            </>
          )}
        </p>
        <CopyButton text={text} label="Copy whole request" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <section className={styles.text} tabIndex={0} aria-label="Whole request">
        {text.length > colouredMax ? text : <HighlightedCode text={text} language="json" />}
      </section>
    </>
  );
}

function describeSize({ bytes, is_cut, prompt_privacy }: Body): string {
  const size = is_cut
    ? `The first ${formatBytes(loggedBodyBytesMax)} of ${formatBytes(bytes)}.`
    : `Kept whole, ${formatBytes(bytes)}.`;
  return prompt_privacy === 'redacted' ? `${size} Redacted before it was kept.` : size;
}

/** Indents JSON; other text, such as truncated JSON, is returned unchanged. */
export function formatBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
