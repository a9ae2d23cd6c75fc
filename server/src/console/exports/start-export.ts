import { type CsvValue, toCsvLine } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Download, SignedInContext } from '#http/console-route.ts';
import { claimExport } from './claim-export.ts';
import { readTimeZone } from './read-time-zone.ts';
import { recordExport } from './record-export.ts';

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
  const release = await claimExport(ctx);
  const timeZone = await readTimeZone(ctx).catch(async (error: unknown) => {
    await release();
    throw error;
  });
  const text = writeText(ctx, content, release);
  // Begun, so that its end is heard of also when nothing more is taken from it.
  const first = await text.next();
  return {
    fileName: nameFile(content, timeZone, new Date()),
    mediaType: content.format === 'csv' ? 'text/csv' : 'application/x-ndjson',
    text: continueText(first, text),
  };
}

async function* writeText<Row, Key>(
  ctx: SignedInContext,
  content: Export<Row, Key>,
  release: () => Promise<void>,
): AsyncGenerator<string> {
  const { columns, format, keyOf, noun, readBatch } = content;
  try {
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
  } finally {
    await release();
  }
}

/** Marks a text as UTF-8, which Excel would not guess. */
const byteOrderMark = '\u{feff}';

/** Unlike a generator's, its `return` reaches the rest also before anything was taken. */
function continueText(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncIterable<string> {
  let next: IteratorResult<string> | undefined = first;
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const result = next ?? (await rest.next());
        next = undefined;
        return result;
      },
      return: (value) => rest.return(value),
    }),
  };
}

function givenOf(filters: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(filters).filter(([, value]) => value !== undefined && value !== ''),
  );
}

/**
 * `sluice-logs-2026-11-22.csv`; with filters `sluice-logs-2026-11-22-Europe-Berlin-status-error.csv`, since the zone says
 * which days they mean. The day is the zone's.
 */
function nameFile<Row, Key>(
  { noun, format, filters }: Export<Row, Key>,
  timeZone: string,
  now: Date,
): string {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(now);
  const chosen = Object.entries(givenOf(filters)).map(([name, value]) => `-${name}-${value}`);
  const zone = chosen.length > 0 ? [`-${timeZone}`] : [];
  const name = [`sluice-${noun}-${day}`, ...zone, ...chosen].join('');
  return `${name.replaceAll(/[^\w.-]+/g, '-').slice(0, nameMax)}.${format}`;
}

const nameMax = 150;
