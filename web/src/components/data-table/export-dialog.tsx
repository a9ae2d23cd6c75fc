import { Button } from '@mantine/core';
import type { ExportFormat } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { logFailure, messageOf } from '#lib/describe-failure.ts';
import { downloadFile, readFileName } from '#lib/download-file.ts';
import { formatBytes, formatQuantity } from '#lib/format-number.ts';
import { Dialog, DialogFooter } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { SegmentedSwitch } from '../ui/segmented-switch.tsx';
import { showSuccess } from '../ui/toasts.tsx';
import styles from './export-dialog.module.css';
import type { ServerExport } from './server-export.ts';

const formats = [
  { value: 'csv', label: 'CSV' },
  { value: 'jsonl', label: 'JSONL' },
] as const;

interface ExportDialogProps {
  isOpen: boolean;
  onClose: () => void;
  content: ServerExport;
}

/** Shows the number of matching rows before the export starts. */
export function ExportDialog({ isOpen, onClose, content }: ExportDialogProps) {
  const { noun, note, title } = content;
  const [format, setFormat] = useState<ExportFormat>('csv');
  const count = useQuery({
    queryKey: ['export-count', ...content.countKey],
    queryFn: ({ signal }) => content.countRows(signal),
    staleTime: 0,
    enabled: isOpen,
  });
  const file = useExportFile(content, onClose);
  const close = () => {
    file.stop();
    onClose();
  };
  return (
    <Dialog isOpen={isOpen} onClose={close} title={`Export ${title}`} size="sm">
      <div className={styles.content}>
        <p className="num" role="status">
          {describeCount(count, content)}
        </p>
        <SegmentedSwitch label="File format" options={formats} value={format} onChange={setFormat} />
        <p className={styles.note}>
          {format === 'csv'
            ? 'A table for spreadsheets.'
            : 'One JSON object per line, in the format of the API.'}{' '}
          {note} The export is recorded in the audit log.
        </p>
        {file.bytes !== null && (
          <>
            <progress className={styles.progress} aria-label="Export" />
            <p className="num">{formatBytes(file.bytes)} received</p>
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
          {count.data?.count ? `Export ${formatRows(count.data, noun)}` : 'Export'}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

interface RowCount {
  count: number;
  is_exact: boolean;
}

const formatRows = ({ count, is_exact }: RowCount, noun: string) =>
  `${is_exact ? '' : 'more than '}${formatQuantity(count, noun, pluralOf(noun))}`;

const pluralOf = (noun: string) => (noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`);

function describeCount(
  { data, error }: { data: RowCount | undefined; error: Error | null },
  { isNarrowed, noun, whole }: ServerExport,
): string {
  if (error) return messageOf(error, `The ${pluralOf(noun)} could not be counted`);
  if (!data) return `Counting ${pluralOf(noun)}...`;
  const rows = formatRows(data, noun).replace(/^m/, 'M');
  const verb = data.count === 1 ? 'matches' : 'match';
  return isNarrowed ? `${rows} ${verb} the filters.` : `${rows} ${whole}; no filter is set.`;
}

/** Returns the state of a file download: received bytes, and the error after a failure. */
function useExportFile({ fetchFile, noun, title }: ServerExport, onSaved: () => void) {
  const [bytes, setBytes] = useState<number | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);
  const stop = () => {
    running.current?.abort();
    running.current = null;
    setBytes(null);
    setFailure(null);
  };
  // Aborts the download when the user leaves the page.
  useEffect(() => () => running.current?.abort(), []);
  const save = async (format: ExportFormat, count: number) => {
    const controller = new AbortController();
    running.current = controller;
    setFailure(null);
    setBytes(0);
    let name = `sluice-${title}.${format}`;
    const onHeaders = (headers: Headers) => {
      name = readFileName(headers) ?? name;
    };
    try {
      const file = await fetchFile(format, { signal: controller.signal, onBytes: setBytes, onHeaders });
      downloadFile(name, file);
      showSuccess(`Exported ${formatQuantity(count, noun, pluralOf(noun))}`);
      onSaved();
    } catch (error) {
      if (!controller.signal.aborted) {
        logFailure(`The export of ${title} failed`, error);
        setFailure(messageOf(error, 'The export failed. Please try again.'));
      }
    }
    if (running.current === controller) setBytes(null);
  };
  return { bytes, failure, save, stop };
}
