import { Button } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { toCsv } from '@sluice/contract';
import type { RowData } from '@tanstack/react-table';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { downloadCsv, nameCsvFile } from '../../lib/csv-download.ts';
import { downloadFile } from '../../lib/download-file.ts';
import { formatQuantity } from '../../lib/format-number.ts';
import { plainText } from './column.ts';
import type { DataTableModel } from './use-data-table.ts';

const feedbackMs = 4000;

interface ExportButtonProps<Row extends RowData> {
  model: DataTableModel<Row>;
  /** What the rows are, in the file's name: `logs`. */
  noun: string;
  /** Asks the server for the whole filtered set; without it, the rows at hand are written. */
  fetchCsv?: () => Promise<Blob>;
}

/** Saves the filtered and sorted rows with the columns chosen, and says how many they were. */
export function ExportButton<Row extends RowData>({ model, noun, fetchCsv }: ExportButtonProps<Row>) {
  const [outcome, setOutcome] = useState<string | null>(null);
  const forgetOutcome = useTimeout(() => setOutcome(null), feedbackMs);

  const save = async () => {
    const name = nameCsvFile(noun, new Date());
    try {
      if (fetchCsv) downloadFile(name, await fetchCsv());
      else downloadCsv(name, writeCsv(model));
      const count = model.rows?.length ?? 0;
      setOutcome(fetchCsv ? 'Exported' : `Exported ${formatQuantity(count, 'row')}`);
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
        disabled={!fetchCsv && !model.rows?.length}
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
}: Pick<DataTableModel<Row>, 'chosenColumns' | 'rows'>): string {
  const columns = chosenColumns.flatMap((column) => {
    const read = plainText(column);
    return read ? [{ name: column.name, read }] : [];
  });
  return toCsv(
    columns.map(({ name }) => name),
    rows.map((row) => columns.map(({ read }) => read(row.original))),
  );
}
