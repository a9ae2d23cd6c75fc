import { Button } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { toCsv } from '@sluice/contract';
import type { RowData } from '@tanstack/react-table';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { downloadCsv, nameCsvFile } from '#lib/download-file.ts';
import { formatQuantity } from '#lib/format-number.ts';
import { lazyPart, useEverTrue } from '#lib/lazy-part.tsx';
import { plainText } from './column.ts';
import type { ServerExport } from './server-export.ts';
import type { DataTableModel } from './use-data-table.ts';

const feedbackMs = 4000;

interface ExportButtonProps<Row extends RowData> {
  model: DataTableModel<Row>;
  /** Name of the rows in the file name, for example `logs`. */
  noun: string;
}

/** Exports the filtered and sorted rows with the visible columns. */
export function ExportButton<Row extends RowData>({ model, noun }: ExportButtonProps<Row>) {
  const [outcome, setOutcome] = useState<string | null>(null);
  const forgetOutcome = useTimeout(() => setOutcome(null), feedbackMs);

  const save = () => {
    const name = nameCsvFile(noun, new Date());
    try {
      downloadCsv(name, writeCsv(model));
      setOutcome(`Exported ${formatQuantity(model.rows?.length ?? 0, 'row')}`);
    } catch {
      setOutcome('Export failed');
    }
    forgetOutcome.start();
  };

  return (
    <>
      <Button
        variant="default"
        leftSection={<Download size={14} strokeWidth={1.5} aria-hidden />}
        disabled={!model.rows?.length}
        onClick={save}
      >
        {outcome ?? 'Export CSV'}
      </Button>
      <span className="visually-hidden" role="status">
        {outcome}
      </span>
    </>
  );
}

export function writeCsv<Row extends RowData>({
  chosenColumns,
  rows = [],
}: Pick<DataTableModel<Row>, 'chosenColumns'> & { rows?: readonly { original: Row }[] | undefined }): string {
  const columns = chosenColumns.flatMap((column) => {
    const read = plainText(column);
    return read ? [{ name: column.name, read }] : [];
  });
  return toCsv(
    columns.map(({ name }) => name),
    rows.map((row) => columns.map(({ read }) => read(row.original))),
  );
}

const ExportDialog = lazyPart(() => import('./export-dialog.tsx'), 'ExportDialog');

export function ExportDialogButton({ content }: { content: ServerExport }) {
  const [isOpen, setOpen] = useState(false);
  const isOpened = useEverTrue(isOpen);
  return (
    <>
      <Button
        variant="default"
        aria-haspopup="dialog"
        leftSection={<Download size={14} strokeWidth={1.5} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        Export CSV
      </Button>
      {isOpened && <ExportDialog isOpen={isOpen} onClose={() => setOpen(false)} content={content} />}
    </>
  );
}
