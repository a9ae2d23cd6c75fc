import { type CsvValue, toCsvLine } from '@sluice/contract';
import { sql } from 'drizzle-orm';
import type { LogTransaction, TenantTransaction } from '#db/tenant.ts';
import type { Download, SignedInContext } from '#http/console-route.ts';
import { startDownload } from './start-download.ts';

/** Definition of an export that reads rows in key order. */
export interface Export<Row, Key> {
  /** Plural noun for the file name and audit log, for example `logs`. */
  readonly noun: string;
  readonly format: 'csv' | 'jsonl';
  /** Applied filters, for the audit log. Absent filters are omitted. */
  readonly filters: Readonly<Record<string, unknown>>;
  /** CSV columns. JSONL files contain rows in the format of the list endpoint. */
  readonly columns: Readonly<Record<string, (row: Row) => CsvValue>>;
  /**
   * Reads the next rows after a key, or the first rows if the key is `undefined`. Each call uses a separate
   * transaction, and only one batch is kept in memory.
   */
  readBatch(tx: LogTransaction, after: Key | undefined): Promise<readonly Row[]>;
  keyOf(row: Row): Key;
}

/**
 * Records the start in the audit log, and the number of rows at the end, even if the client disconnects. The first
 * batch is read before the response starts, so that errors have a status code.
 * @throws ConsoleError 429 while another export of the tenant is running
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
  const audited = { ...givenOf(content.filters), format };
  let rows = await ctx.inTenant(async (tx) => {
    await recordExport(tx, noun, audited);
    return readBatch(tx, undefined);
  });
  let head = format === 'csv' ? byteOrderMark + toCsvLine(Object.keys(columns)) : '';
  let count = 0;
  let isComplete = false;
  try {
    do {
      count += rows.length;
      yield head + rows.map((row) => formatRow(content, row)).join('');
      head = '';
      const last = rows.at(-1);
      rows = last === undefined ? [] : await ctx.inTenant((tx) => readBatch(tx, keyOf(last)));
    } while (rows.length > 0);
    isComplete = true;
  } finally {
    await ctx.inTenant((tx) => recordExport(tx, noun, { ...audited, rows: count, is_complete: isComplete }));
  }
}

const formatRow = <Row>({ columns, format }: Pick<Export<Row, never>, 'columns' | 'format'>, row: Row) =>
  format === 'csv' ? toCsvLine(Object.values(columns).map((read) => read(row))) : `${JSON.stringify(row)}\n`;

function givenOf(filters: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(filters).filter(([, value]) => value !== undefined && value !== ''),
  );
}

/** Byte order mark. Excel does not detect UTF-8 without it. */
const byteOrderMark = '\u{feff}';

export async function recordExport(
  tx: TenantTransaction,
  noun: string,
  filters: Readonly<Record<string, unknown>>,
): Promise<void> {
  await tx.execute(sql`SELECT record_export(${noun}, ${JSON.stringify(filters)}::jsonb)`);
}
