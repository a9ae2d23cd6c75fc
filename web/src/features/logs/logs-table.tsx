import type { LogEntry } from '@sluice/contract';
import type { Column } from '../../components/data-table/column.ts';
import { DataTable } from '../../components/data-table/data-table.tsx';
import { formatCount } from '../../lib/format-number.ts';
import { formatDuration, formatFullTime, formatRowTime, formatShortTime } from '../../lib/format-time.ts';
import { LogDetail } from './log-detail.tsx';
import { LogStatus } from './log-status.tsx';
import { describeUser, previewPrompt } from './log-text.ts';
import styles from './logs-table.module.css';
import { RequestId } from './request-id.tsx';

export function LogsTable({ logs }: { logs: readonly LogEntry[] | undefined }) {
  return (
    <DataTable
      label="Requests"
      columns={columns}
      rows={logs}
      rowKey={(log) => log.id}
      loadingText="Loading logs..."
      emptyText="No logs found matching your filters."
      detail={(log) => <LogDetail listed={log} />}
    />
  );
}

const columns: readonly Column<LogEntry>[] = [
  { name: 'Request ID', width: '6rem', showFrom: 'wide', cell: (log) => <RequestId id={log.id} /> },
  {
    name: 'Timestamp',
    width: '9.5rem',
    showFrom: 'medium',
    cell: (log) => (
      <time className="num" dateTime={log.timestamp} title={formatFullTime(log.timestamp)}>
        {formatRowTime(log.timestamp)}
      </time>
    ),
  },
  { name: 'User', width: '7.5rem', showFrom: 'medium', cell: describeUser },
  { name: 'Prompt', cell: (log) => <Prompt log={log} /> },
  { name: 'Model', width: '9rem', showFrom: 'medium', cell: (log) => <code>{log.model ?? '–'}</code> },
  { name: 'Status', width: '7.5rem', cell: (log) => <LogStatus status={log.status} /> },
  numberColumn('Response Time', '5rem', (log) => formatDuration(log.response_time_ms)),
  numberColumn('Prompt Tokens', '4.25rem', (log) => formatCount(log.prompt_tokens)),
  numberColumn('Completion Tokens', '5.75rem', (log) => formatCount(log.completion_tokens)),
];

function numberColumn(name: string, width: string, text: (log: LogEntry) => string): Column<LogEntry> {
  return {
    name,
    width,
    align: 'end',
    showFrom: 'wide',
    cell: (log) => <span className="num">{text(log)}</span>,
  };
}

function Prompt({ log }: { log: LogEntry }) {
  return (
    <>
      {log.prompt === null ? <span className={styles.quiet}>Not recorded</span> : previewPrompt(log.prompt)}
      <div className={`num ${styles.narrowOnly}`}>
        {describeUser(log)} · {formatShortTime(log.timestamp)}
      </div>
    </>
  );
}
