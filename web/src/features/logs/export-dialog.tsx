import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Dialog, DialogFooter } from '../../components/ui/dialog.tsx';
import { Notice } from '../../components/ui/notice.tsx';
import { SegmentedSwitch } from '../../components/ui/segmented-switch.tsx';
import { showSuccess } from '../../components/ui/toasts.tsx';
import { nameExportFile } from '../../lib/csv-download.ts';
import { downloadFile } from '../../lib/download-file.ts';
import { formatQuantity } from '../../lib/format-number.ts';
import { messageOf } from '../../lib/message-of.ts';
import styles from './export-dialog.module.css';
import { countQuery, fetchLogFile, type LogFileFormat } from './queries.ts';
import { hasLogFilters, type LogsSearch } from './search.ts';

const formats = [
  { value: 'csv', label: 'CSV' },
  { value: 'jsonl', label: 'JSONL' },
] as const;

interface LogExportDialogProps {
  isOpen: boolean;
  onClose: () => void;
  search: LogsSearch;
}

/** Saves all requests that pass the filters as a file; says how many they are before it starts. */
export function LogExportDialog({ isOpen, onClose, search }: LogExportDialogProps) {
  const [format, setFormat] = useState<LogFileFormat>('csv');
  const count = useQuery({ ...countQuery(search), enabled: isOpen });
  const file = useLogFile(search, () => onClose());
  const close = () => {
    file.stop();
    onClose();
  };
  return (
    <Dialog isOpen={isOpen} onClose={close} title="Export logs" size="sm">
      <div className={styles.content}>
        <p className="num" role="status">
          {describeCount(count, hasLogFilters(search))}
        </p>
        <SegmentedSwitch label="File format" options={formats} value={format} onChange={setFormat} />
        <p className={styles.note}>
          {format === 'csv' ? 'A table for spreadsheets.' : 'One JSON object a line, as the API answers it.'}{' '}
          Prompts and responses are whole. The export is noted in the audit log.
        </p>
        {file.bytes !== null && (
          <>
            <progress className={styles.progress} aria-label="Export" />
            <p className="num">{(file.bytes / bytesPerMegabyte).toFixed(1)} MB received</p>
          </>
        )}
        {file.failure && <Notice kind="bad" title={file.failure} />}
      </div>
      <DialogFooter>
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button
          disabled={!count.data?.count}
          loading={file.bytes !== null}
          onClick={() => file.save(format, count.data?.count ?? 0)}
        >
          Export
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

const bytesPerMegabyte = 1_000_000;

interface CountAnswer {
  data: { count: number; is_exact: boolean } | undefined;
  error: Error | null;
}

function describeCount({ data, error }: CountAnswer, isNarrowed: boolean): string {
  if (error) return messageOf(error, 'The requests could not be counted');
  if (!data) return 'Counting requests...';
  const rows = `${data.is_exact ? '' : 'More than '}${formatQuantity(data.count, 'request')}`;
  const verb = data.count === 1 ? 'passes' : 'pass';
  return isNarrowed ? `${rows} ${verb} the filters.` : `${rows} in the log; no filter is set.`;
}

/** A file under way: how much of it is here, and what kept it from coming. */
function useLogFile(search: LogsSearch, onSaved: () => void) {
  const [bytes, setBytes] = useState<number | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);
  const stop = () => {
    running.current?.abort();
    running.current = null;
    setBytes(null);
    setFailure(null);
  };
  // Nobody takes the file any more once the page is left.
  useEffect(() => () => running.current?.abort(), []);
  const save = async (format: LogFileFormat, count: number) => {
    const controller = new AbortController();
    running.current = controller;
    setFailure(null);
    setBytes(0);
    try {
      const file = await fetchLogFile(search, format, { signal: controller.signal, onBytes: setBytes });
      downloadFile(nameExportFile('logs', format, new Date()), file);
      showSuccess(`Exported ${formatQuantity(count, 'request')}`);
      onSaved();
    } catch (error) {
      if (!controller.signal.aborted) setFailure(messageOf(error, 'The export failed. Please try again.'));
    }
    if (running.current === controller) setBytes(null);
  };
  return { bytes, failure, save, stop };
}
