import { ExportDialogButton } from '../../components/data-table/export-dialog-button.tsx';
import { RefreshButton } from '../../components/ui/refresh-button.tsx';
import { SegmentedSwitch } from '../../components/ui/segmented-switch.tsx';
import { formatClock } from '../../lib/format-time.ts';
import { type LogPace, logsExport } from './queries.ts';
import styles from './screen.module.css';
import type { LogsSearch } from './search.ts';

const paces = [
  { value: 'usual', label: 'Every 10 s' },
  { value: 'live', label: 'Live' },
  { value: 'paused', label: 'Paused' },
] as const satisfies readonly { value: LogPace; label: string }[];

interface LogToolsProps {
  pace: LogPace;
  onPace: (pace: LogPace) => void;
  /** When the rows were loaded; `undefined` before that. */
  readAtMs: number | undefined;
  timeZone: string;
  onRefresh: () => void;
  search: LogsSearch;
}

/** Tools of the log: live mode, refresh, export. */
export function LogTools({ pace, onPace, readAtMs, timeZone, onRefresh, search }: LogToolsProps) {
  return (
    <>
      {readAtMs !== undefined && (
        <span className={`num ${styles.refreshed}`}>refreshed {formatClock(readAtMs, timeZone)}</span>
      )}
      <SegmentedSwitch label="Refresh" options={paces} value={pace} onChange={onPace} />
      <RefreshButton onRefresh={onRefresh} />
      <ExportDialogButton content={logsExport(search)} />
    </>
  );
}
