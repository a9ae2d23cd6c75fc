import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { withQueryTimeout } from '#db/query-timeout.ts';
import { runInSlices } from '#platform/paced-work.ts';
import { createSerialQueue } from '#platform/serial-queue.ts';
import type { Collection } from './collection.ts';
import type { MirroredTable, OpenApiKey } from './tables/mirrored-table.ts';

/**
 * Timeout of each attempt to read a page. The short first timeout detects a dead connection, which delays the changes
 * of its table. The longer ones allow for a busy database or a very large row.
 */
const pageTimeoutsMs = [2_000, 10_000, 60_000, 60_000];

const tableTimeoutsMs = [30_000, 120_000, 120_000, 120_000];

/** Longest of these timeouts. The database must not cancel a statement earlier. */
export const longestReadMs = 120_000;

const firstDelayMs = 100;

/**
 * Runs a read-only statement. After a failure, retries with the next timeout.
 * @throws the error of the last attempt.
 */
async function readWithRetries<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  timeoutsMs: readonly number[],
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  for (const [attempt, timeoutMs] of timeoutsMs.entries()) {
    try {
      return (await pool.query<Row>(withQueryTimeout(text, values, timeoutMs))).rows;
    } catch (error) {
      if (attempt === timeoutsMs.length - 1) throw error;
      await pause(firstDelayMs * 3 ** attempt);
    }
  }
  return [];
}

const pageRows = 250;
/**
 * Maximum text size of a page's rows. The row that exceeds this size is the page's last one, so that rows of any size
 * can be read.
 */
const pageBytes = 512 * 1024;

/** Rows are applied one at a time, in the order they were read. */
export interface Mirror {
  /** Ids that no longer exist are removed from the collection. */
  refresh(ids: readonly string[]): Promise<void>;
  /** Rereads page by page. Refreshes run between pages. */
  load(): Promise<void>;
}

export function createMirror<Entry extends { readonly id: number | string }>(
  pool: pg.Pool,
  { id: idColumn, select, toEntry }: MirroredTable<Entry, Collection<Entry['id'], Entry>>,
  collection: Collection<Entry['id'], Entry>,
  openKey: OpenApiKey,
): Mirror {
  // Concurrent reads could finish out of order, and an older result would restore deleted rows.
  const inTurn = createSerialQueue();
  const selectPage = `${select} AND t.id = ANY($1::${idColumn.type}[])`;

  const readPage = async (ids: string | readonly string[], seen: Set<Entry['id']>) => {
    const rows = await readWithRetries(pool, pageTimeoutsMs, selectPage, [ids]);
    await runInSlices(rows, (row) => {
      const entry = toEntry(row, openKey);
      seen.add(entry.id);
      collection.put(entry);
    });
  };

  const refreshPage = async (ids: readonly string[]) => {
    const present = new Set<Entry['id']>();
    await readPage(ids, present);
    for (const id of ids.map(idColumn.parse)) if (!present.has(id)) collection.remove(id);
  };

  const refresh = async (ids: readonly string[]) => {
    for (let start = 0; start < ids.length; start += pageRows)
      await inTurn(() => refreshPage(ids.slice(start, start + pageRows)));
  };

  return {
    refresh,
    async load() {
      const pages = await readWithRetries<{ ids: string }>(pool, tableTimeoutsMs, listPages(select));
      const seen = new Set<Entry['id']>();
      for (const { ids } of pages) await inTurn(() => readPage(ids, seen));
      const unseen: string[] = [];
      await runInSlices(collection.ids(), (id) => {
        if (!seen.has(id)) unseen.push(String(id));
      });
      // These rows may have been added after the pages were listed, so their absence does not prove deletion.
      await refresh(unseen);
    },
  };
}

/** Returns the statement that lists the pages as arrays of textual ids, in the order of the rows on disk. */
function listPages(select: string): string {
  return `SELECT array_agg(id)::text AS ids FROM (
      SELECT id, (row_number() OVER so_far - 1) / ${pageRows} AS by_rows,
        div(sum(bytes) OVER so_far - bytes, ${pageBytes}) AS by_bytes
      FROM (SELECT id, octet_length(present::text)::bigint AS bytes FROM (${select}) present) sized
      WINDOW so_far AS (ROWS UNBOUNDED PRECEDING)
    ) numbered GROUP BY by_rows, by_bytes`;
}
