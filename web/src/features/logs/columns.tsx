import type { LogEntry } from '@sluice/contract';
import { NarrowOnly, RowLink } from '#components/data-table/cells.tsx';
import type { Column } from '#components/data-table/column.ts';
import { AlignedAmount } from '#components/ui/aligned-amount.tsx';
import { SecondLine } from '#components/ui/lines.tsx';
import { describeRequestReason, describeRequestStatus } from '#components/ui/status-mark.tsx';
import { formatCount } from '#lib/format-number.ts';
import {
  formatDuration,
  formatFullTime,
  formatRowTime,
  formatShortTime,
  localizeInstants,
} from '#lib/format-time.ts';
import { providerNameOf } from '#lib/provider-registry.ts';
import styles from './columns.module.css';
import {
  describeCost,
  describeIntent,
  describeMissingText,
  describeTask,
  describeUser,
  previewPrompt,
} from './describe-entry.ts';
import { UserLink } from './links.tsx';
import { LogStatus, StatusWord } from './status.tsx';

const shownCharacters = 8;

/**
 * The last characters are enough to tell rows apart. The tooltip, the accessible name and the copy button contain the
 * full id.
 */
function RequestId({ id }: { id: string }) {
  return (
    <code className={styles.id} title={id}>
      <span className="visually-hidden">{id.slice(0, -shownCharacters)}</span>
      <span aria-hidden="true">…</span>
      {id.slice(-shownCharacters)}
    </code>
  );
}

/** The columns fixed by the specification come first. Times use the tenant's time zone, like the date filter. */
export const logColumnsIn = (timeZone: string): readonly Column<LogEntry>[] => [
  idColumn,
  timestampColumn(timeZone),
  userColumn,
  {
    name: 'Prompt',
    minWidth: '6rem',
    cell: (log) => <Prompt log={log} timeZone={timeZone} />,
    csv: ({ prompt }) => prompt,
  },
  ...outcomeColumns,
];

const idColumn: Column<LogEntry> = {
  name: 'Request ID',
  width: '5rem',
  showFrom: 'wide',
  isPinned: true,
  isHideable: false,
  cell: ({ id }) => (
    <RowLink id={id}>
      <RequestId id={id} />
    </RowLink>
  ),
  csv: ({ id }) => id,
};

const timestampColumn = (timeZone: string): Column<LogEntry> => ({
  name: 'Timestamp',
  width: '6.25rem',
  showFrom: 'medium',
  cell: ({ timestamp }) => (
    <time className={`num ${styles.lines}`} dateTime={timestamp} title={formatFullTime(timestamp, timeZone)}>
      {formatRowTime(timestamp, timeZone)}
    </time>
  ),
  sortBy: ({ timestamp }) => Date.parse(timestamp),
  csv: ({ timestamp }) => timestamp,
});

const userColumn: Column<LogEntry> = {
  name: 'User',
  width: '6.25rem',
  showFrom: 'medium',
  cell: (log) => (
    <div className={styles.lines} title={describeUser(log)}>
      <UserLink log={log} tabIndex={-1} />
    </div>
  ),
  sortBy: describeUser,
};

const outcomeColumns: readonly Column<LogEntry>[] = [
  {
    name: 'Model',
    width: '6rem',
    showFrom: 'medium',
    cell: ({ model }) => (
      <code className={`${styles.lines} ${styles.model}`} title={model ?? undefined}>
        {model ?? '–'}
      </code>
    ),
    sortBy: ({ model }) => model,
  },
  {
    name: 'Status',
    width: '5.5rem',
    showFrom: 'medium',
    cell: (log) => <Outcome log={log} />,
    sortBy: describeRequestStatus,
  },
  {
    ...numberColumn('Response Time', '4.5rem', (log) => formatDuration(log.response_time_ms)),
    showFrom: 'wide',
    sortBy: (log) => log.response_time_ms,
  },
  {
    ...numberColumn('Prompt Tokens', '3.25rem', (log) => formatCount(log.prompt_tokens)),
    sortBy: (log) => log.prompt_tokens,
  },
  {
    ...numberColumn('Completion Tokens', '5rem', (log) => formatCount(log.completion_tokens)),
    sortBy: (log) => log.completion_tokens,
  },
  {
    name: 'Task',
    width: '5.5rem',
    showFrom: 'full',
    cell: (log) => (
      <div className={`${styles.lines} ${styles.task}`} title={describeTask(log)}>
        <span className={log.task_id === null ? 'quiet' : undefined}>{describeTask(log)}</span>
      </div>
    ),
    sortBy: (log) => (log.task_id === null ? null : describeTask(log)),
  },
  {
    ...numberColumn('Cost', '5.75rem', describeCost),
    cell: (log) => <AlignedAmount text={describeCost(log)} decimalsMax={log.cost === null ? 0 : 6} />,
    sortBy: ({ cost }) => cost,
  },
  {
    ...numberColumn('Total Tokens', '5rem', (log) => formatCount(log.openai_tokens_used)),
    sortBy: (log) => log.openai_tokens_used,
    isExtra: true,
  },
  textColumn('Intent', describeIntent),
  textColumn(
    'Provider',
    ({ provider_instance_name, provider_key }) =>
      provider_instance_name ?? (provider_key === null ? null : providerNameOf(provider_key)),
  ),
  textColumn('API Key', ({ api_key_name }) => api_key_name),
  textColumn('Error', ({ error_message, error_code }) =>
    error_message === null ? error_code : localizeInstants(error_message),
  ),
];

function numberColumn(name: string, width: string, text: (log: LogEntry) => string): Column<LogEntry> {
  return {
    name,
    width,
    align: 'end',
    showFrom: 'full',
    cell: (log) => <span className="num">{text(log)}</span>,
  };
}

function textColumn(name: string, text: (log: LogEntry) => string | null): Column<LogEntry> {
  return {
    name,
    width: '7.5rem',
    showFrom: 'medium',
    isExtra: true,
    cell: (log) => text(log) ?? '–',
    sortBy: text,
  };
}

/** Shows the reason of a failure below the status. */
function Outcome({ log }: { log: LogEntry }) {
  const reason = describeRequestReason(log);
  return (
    <div className={styles.outcome} title={describeRequestStatus(log)}>
      <StatusWord log={log} />
      {reason !== '' && <div className={styles.reason}>{reason}</div>}
    </div>
  );
}

function Prompt({ log, timeZone }: { log: LogEntry; timeZone: string }) {
  return (
    <>
      <div className={`${styles.lines} ${styles.prompt}`}>
        {log.prompt === null ? (
          <span className="quiet">{describeMissingText(log)}</span>
        ) : (
          previewPrompt(log.prompt)
        )}
      </div>
      <NarrowOnly>
        <div className={styles.sender}>
          <SecondLine>
            <span className="num">
              {describeUser(log)} · {formatShortTime(log.timestamp, timeZone)}
            </span>
          </SecondLine>
        </div>
        <LogStatus log={log} />
        {log.cost !== null && <span className="num">{describeCost(log)}</span>}
      </NarrowOnly>
    </>
  );
}
