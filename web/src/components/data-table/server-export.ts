import type { ExportFormat } from '@sluice/contract';
import { readTotalCount, type TotalCount } from './pager.tsx';

export interface FileOptions {
  signal: AbortSignal;
  onBytes: (count: number) => void;
  onHeaders: (headers: Headers) => void;
}

export interface ServerExport {
  /** Noun in the dialog title, for example `logs`. */
  title: string;
  /** Noun for one row, for example `request`. */
  noun: string;
  /** Phrase for all rows if no filter is set, for example `in the log`. */
  whole: string;
  isNarrowed: boolean;
  /** Note in the export dialog, for example a row limit. */
  note: string;
  /** Query key of the filters. The row count is fetched again when the key changes. */
  countKey: readonly unknown[];
  countRows: (signal: AbortSignal) => Promise<{ count: number; is_exact: boolean }>;
  fetchFile: (format: ExportFormat, options: FileOptions) => Promise<Blob>;
}

/**
 * Returns the row count from the header of a list response. If the header is missing, returns the number of returned
 * rows as a lower bound.
 */
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
