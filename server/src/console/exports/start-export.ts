import { type CsvValue, toCsvLine } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Download, SignedInContext } from '#http/console-route.ts';
import { recordExport } from './record-export.ts';
import { givenOf, startDownload } from './start-download.ts';

/** What is exported, of rows that have a key which they are read in the order of. */
export interface Export<Row, Key> {
  /** As the file's name and the audit log call it: `logs`. */
  readonly noun: string;
  readonly format: 'csv' | 'jsonl';
  /** What the rows were chosen by; those that are absent are left out. */
  readonly filters: Readonly<Record<string, unknown>>;
  /** The columns of the CSV file. JSONL holds the rows as the list's call answers them. */
  readonly columns: Readonly<Record<string, (row: Row) => CsvValue>>;
  /** The next rows behind a key, the first ones without it, in a transaction of its own; no more are kept in memory. */
  readBatch(tx: TenantTransaction, after: Key | undefined): Promise<readonly Row[]>;
  keyOf(row: Row): Key;
}

/**
 * A file of all rows, read batch by batch as the caller takes it. The first batch is read before the answer begins, so
 * that what is wrong gets a status. Each tenant has one at a time; each leaves an entry in the audit log.
 * @throws ConsoleError 429
 */
export async function startExport<Row, Key>(
  ctx: SignedInContext,
  content: Export<Row, Key>,
): Promise<Download> {
  const { format, filters, noun } = content;
  const mediaType = format === 'csv' ? 'text/csv' : 'application/x-ndjson';
  return startDownload(ctx, { noun, filters, extension: format, mediaType }, () => writeText(ctx, content));
}

async function* writeText<Row, Key>(ctx: SignedInContext, content: Export<Row, Key>): AsyncGenerator<string> {
  const { columns, format, keyOf, noun, readBatch } = content;
  let after: Key | undefined;
  let isFirst = true;
  do {
    const key: Key | undefined = after;
    const isAudited: boolean = !isFirst;
    const rows = await ctx.inTenant(async (tx) => {
      if (!isAudited) await recordExport(tx, noun, { ...givenOf(content.filters), format });
      return readBatch(tx, key);
    });
    const head = isFirst && format === 'csv' ? byteOrderMark + toCsvLine(Object.keys(columns)) : '';
    const lines = rows.map((row) =>
      format === 'csv'
        ? toCsvLine(Object.values(columns).map((read) => read(row)))
        : `${JSON.stringify(row)}\n`,
    );
    if (isFirst || rows.length > 0) yield head + lines.join('');
    isFirst = false;
    const last = rows.at(-1);
    after = last && keyOf(last);
  } while (after !== undefined);
}

/** Marks a text as UTF-8, which Excel would not guess. */
const byteOrderMark = '\u{feff}';
