import { type CsvValue, toCsvLine } from '@sluice/contract';
import { sql } from 'drizzle-orm';
import type { LogTransaction, TenantTransaction } from '#db/tenant.ts';
import type { Download, SignedInContext } from '#http/console-route.ts';
import { startDownload } from './start-download.ts';

/** Export of rows that are read in the order of a key. */
export interface Export<Row, Key> {
  /** Noun in the file name and the audit log, for example `logs`. */
  readonly noun: string;
  readonly format: 'csv' | 'jsonl';
  /** Filters that were applied, for the audit log; absent ones are omitted. */
  readonly filters: Readonly<Record<string, unknown>>;
  /** Columns of the CSV file. JSONL contains the rows as returned by the list endpoint. */
  readonly columns: Readonly<Record<string, (row: Row) => CsvValue>>;
  /** Reads the next rows after a key, or the first rows, in a separate transaction; only one batch is in memory. */
  readBatch(tx: LogTransaction, after: Key | undefined): Promise<readonly Row[]>;
  keyOf(row: Row): Key;
}

/**
 * Streams all rows in batches and audits the export. The first batch is read before the response starts, so that
 * errors get a status code. Each tenant can run one export at a time.
 * @throws ConsoleError 429 while another export runs.
 */
export async function startExport<Row, Key>(
  ctx: SignedInContext,
  content: Export<Row, Key>,
): Promise<Download> {
  const { format, noun } = content;
  const mediaType = format === 'csv' ? 'text/csv' : 'application/x-ndjson';
  return startDownload(ctx, { noun, extension: format, mediaType }, () => writeText(ctx, content));
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

function givenOf(filters: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(filters).filter(([, value]) => value !== undefined && value !== ''),
  );
}

/** Marks the text as UTF-8, which Excel does not detect. */
const byteOrderMark = '\u{feff}';

/** Records an export and its filters in the audit log. */
export async function recordExport(
  tx: TenantTransaction,
  noun: string,
  filters: Readonly<Record<string, unknown>>,
): Promise<void> {
  await tx.execute(sql`SELECT record_export(${noun}, ${JSON.stringify(filters)}::jsonb)`);
}
