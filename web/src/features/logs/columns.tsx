import type { LogEntry } from '@sluice/contract';
import { NarrowOnly, RowLink } from '../../components/data-table/cells.tsx';
import type { Column } from '../../components/data-table/column.ts';
import { SecondLine } from '../../components/ui/lines.tsx';
import { formatCount } from '../../lib/format-number.ts';
import { formatDuration, formatFullTime, formatRowTime, formatShortTime } from '../../lib/format-time.ts';
import { providerNameOf } from '../../lib/provider-registry.ts';
import { describeIntent, describeTask, describeUser, previewPrompt } from './describe-entry.ts';
import { RequestId } from './request-id.tsx';
import { LogStatus } from './status.tsx';

/** The request log's columns, in the order of the specification; those after the task are hidden at first. */
export const logColumns: readonly Column<LogEntry>[] = [
  {
    name: 'Request ID',
    width: '5.5rem',
    showFrom: 'wide',
    isPinned: true,
    isHideable: false,
    cell: ({ id }) => (
      <RowLink id={id}>
        <RequestId id={id} />
      </RowLink>
    ),
    csv: ({ id }) => id,
  },
  {
    name: 'Timestamp',
    width: '9.5rem',
    showFrom: 'medium',
    cell: ({ timestamp }) => (
      <time className="num" dateTime={timestamp} title={formatFullTime(timestamp)}>
        {formatRowTime(timestamp)}
      </time>
    ),
    sortBy: ({ timestamp }) => Date.parse(timestamp),
    csv: ({ timestamp }) => timestamp,
  },
  { name: 'User', width: '7.25rem', showFrom: 'medium', cell: describeUser, sortBy: describeUser },
  { name: 'Prompt', cell: (log) => <Prompt log={log} />, csv: ({ prompt }) => prompt },
  {
    name: 'Model',
    width: '8.25rem',
    showFrom: 'medium',
    cell: ({ model }) => <code>{model ?? '–'}</code>,
    sortBy: ({ model }) => model,
  },
  {
    name: 'Status',
    width: '7rem',
    cell: ({ status }) => <LogStatus status={status} />,
    sortBy: ({ status }) => status,
  },
  {
    ...numberColumn('Response Time', '5.5rem', (log) => formatDuration(log.response_time_ms)),
    showFrom: 'wide',
    sortBy: (log) => log.response_time_ms,
  },
  {
    ...numberColumn('Prompt Tokens', '4.5rem', (log) => formatCount(log.prompt_tokens)),
    sortBy: (log) => log.prompt_tokens,
  },
  {
    ...numberColumn('Completion Tokens', '6rem', (log) => formatCount(log.completion_tokens)),
    sortBy: (log) => log.completion_tokens,
  },
  {
    name: 'Task',
    width: '4.75rem',
    showFrom: 'full',
    cell: (log) => <span className={log.task_id === null ? 'quiet' : undefined}>{describeTask(log)}</span>,
    sortBy: ({ task_id }) => task_id,
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
  textColumn('Error', ({ error_code }) => error_code),
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

function Prompt({ log }: { log: LogEntry }) {
  return (
    <>
      {log.prompt === null ? <span className="quiet">Not recorded</span> : previewPrompt(log.prompt)}
      <NarrowOnly>
        <SecondLine>
          <span className="num">
            {describeUser(log)} · {formatShortTime(log.timestamp)}
          </span>
        </SecondLine>
      </NarrowOnly>
    </>
  );
}
