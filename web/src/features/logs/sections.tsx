import { type LogBody as Body, type LogEntry, loggedBodyBytesMax, type ProviderCall } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { HighlightedCode } from '#components/ui/highlighted-code.tsx';
import { Failure, Notice } from '#components/ui/notice.tsx';
import { PanelList } from '#components/ui/panel-list.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatLabel } from '#lib/format-label.ts';
import { formatBytes } from '#lib/format-number.ts';
import { formatDuration, localizeInstants } from '#lib/format-time.ts';
import attemptsStyles from './attempts.module.css';
import styles from './body.module.css';
import { describeMissingText } from './describe-entry.ts';
import passageStyles from './passage.module.css';
import { logBodyQuery } from './queries.ts';

/** Loaded on demand, because each access is audited. */
export function LogBody({ log }: { log: LogEntry }) {
  const [isOpen, setOpen] = useState(false);
  const answer = useQuery({ ...logBodyQuery(log.id), enabled: isOpen });
  const failure = describeFailure(answer, 'Unknown error', 'Error loading the request');
  return (
    <details className={styles.whole} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Full request</summary>
      {failure && <Failure {...failure} />}
      {answer.isFetching && !answer.data && <p className={styles.note}>Loading request...</p>}
      {answer.data && <Text log={log} read={answer.data} />}
    </details>
  );
}

/** In characters. Highlighting creates an element per word. */
const highlightedMax = 16 * 1024;

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
              SHA-256 of the full request: <code className={styles.hash}>{read.sha256}</code>
            </>
          )}
        </p>
        <CopyButton text={text} label="Copy full request" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <section className={styles.text} tabIndex={0} aria-label="Full request">
        {text.length > highlightedMax ? text : <HighlightedCode text={text} language="json" />}
      </section>
    </>
  );
}

function describeSize({ bytes, is_cut, prompt_privacy }: Body): string {
  const size = is_cut
    ? `The first ${formatBytes(loggedBodyBytesMax)} of ${formatBytes(bytes)}.`
    : `Stored in full, ${formatBytes(bytes)}.`;
  return prompt_privacy === 'redacted' ? `${size} Redacted before it was stored.` : size;
}

/** Returns other text, such as truncated JSON, unchanged. */
export function formatBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

export function LogAttempts({ calls }: { calls: readonly ProviderCall[] }) {
  return (
    <section aria-label="Attempts">
      <h3>Attempts</h3>
      <PanelList label="Attempts" items={calls} noun="attempts">
        {(call) => (
          <li key={call.started_ms} className={attemptsStyles.attempt}>
            <span className={attemptsStyles.target}>
              {call.provider_instance_name} · {call.model}
            </span>
            <StatusMark kind={call.error_code === null ? 'ok' : 'bad'}>{describeAnswer(call)}</StatusMark>
            <span className={`num ${attemptsStyles.time}`}>
              {formatDuration(call.duration_ms)}
              {call.started_ms > 0 && `, started after ${formatDuration(call.started_ms)}`}
            </span>
            {call.message !== null && (
              <span className={attemptsStyles.message}>{localizeInstants(call.message)}</span>
            )}
          </li>
        )}
      </PanelList>
    </section>
  );
}

function describeAnswer({ http_status: status, error_code: code, cause }: ProviderCall): string {
  if (code === null) return 'Answered';
  const answer = status === null ? 'No answer' : `HTTP ${status}`;
  return [answer, formatLabel(code), cause].filter(Boolean).join(' · ');
}

interface LogPassageProps {
  title: 'Prompt' | 'Response';
  text: string | null;
  /** Shown if the section is empty. */
  missing: string;
  /** The default is the plain text. */
  children?: ReactNode;
}

export function LogPassage({ title, text, missing, children }: LogPassageProps) {
  return (
    <div className={passageStyles.passage}>
      <div className={passageStyles.head}>
        <h3>{title}</h3>
        {text ? <CopyButton text={text} label={`Copy ${title.toLowerCase()}`} /> : null}
      </div>
      {text === null || text === '' ? (
        <p className={passageStyles.none}>{text === null ? missing : 'Empty'}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        <section className={passageStyles.text} tabIndex={0} aria-label={title}>
          {children ?? text}
        </section>
      )}
    </div>
  );
}

export function TextCutNotice() {
  return (
    <Notice
      kind="warn"
      title="The object storage that contains the full texts cannot be reached. Only the beginning of each text is shown."
    />
  );
}

export const hasFailed = ({ error_message, error_code }: LogEntry) =>
  error_message !== null || error_code !== null;

const describeMissingMessage = (log: LogEntry) =>
  log.prompt_privacy === 'metadata' ? describeMissingText(log) : 'No message';

export function LogError({ log }: { log: LogEntry }) {
  return (
    <Notice
      kind="bad"
      title={localizeInstants(log.error_message ?? describeMissingMessage(log))}
      action={log.error_code !== null && <code>{log.error_code}</code>}
    />
  );
}
