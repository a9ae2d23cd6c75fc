import type { ExportFormat } from '@sluice/contract';
import { readTotalCount, type TotalCount } from './pager.tsx';

export interface FileOptions {
  signal: AbortSignal;
  onBytes: (count: number) => void;
  onHeaders: (headers: Headers) => void;
}

/** Export that the server generates. */
export interface ServerExport {
  /** Noun in the dialog's title, such as `logs`. */
  title: string;
  /** Noun for one row, such as `request`. */
  noun: string;
  /** Phrase for all rows without filters, such as `in the log`. */
  whole: string;
  isNarrowed: boolean;
  /** Note shown with the export, such as a row limit. */
  note: string;
  /** Query key of the filters; the row count is fetched again when it changes. */
  countKey: readonly unknown[];
  countRows: (signal: AbortSignal) => Promise<{ count: number; is_exact: boolean }>;
  fetchFile: (format: ExportFormat, options: FileOptions) => Promise<Blob>;
}

/** Returns the row count in the header of a list response; without the header, at least the number of rows returned. */
export async function toRowCount(
  ask: (onHeaders: (headers: Headers) => void) => Promise<readonly unknown[]>,
): Promise<{ count: number; is_exact: boolean }> {
  let total: TotalCount | null = null;
  const rows = await ask((headers) => {
    total = readTotalCount(headers.get('x-total-count'));
  });
  const { count, isExact }: TotalCount = total ?? { count: rows.length, isExact: false };
  return { count, is_exact: isExact };
}
