import type { ExportFormat } from '@sluice/contract';
import { readTotalCount, type TotalCount } from './pager.tsx';

export interface FileOptions {
  signal: AbortSignal;
  onBytes: (count: number) => void;
  onHeaders: (headers: Headers) => void;
}

/** Export of a list that the server writes. */
export interface ServerExport {
  /** In the dialog's title: `logs`. */
  title: string;
  /** One row: `request`. */
  noun: string;
  /** Where all rows are when no filter is set: `in the log`. */
  whole: string;
  isNarrowed: boolean;
  /** Note shown with the export, such as a row limit. */
  note: string;
  /** Query key of the filters; the row count is fetched again when it changes. */
  countKey: readonly unknown[];
  countRows: (signal: AbortSignal) => Promise<{ count: number; is_exact: boolean }>;
  fetchFile: (format: ExportFormat, options: FileOptions) => Promise<Blob>;
}

/** How many rows a list's call counts in its header; none without one. */
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
