import type pg from 'pg';
import { withQueryTimeout } from '#db/query-timeout.ts';
import { runInSlices } from '#platform/run-in-slices.ts';
import { createSerialQueue } from '#platform/serial-queue.ts';
import type { Collection } from './collection.ts';
import type { MirroredTable, OpenApiKey } from './tables/mirrored-table.ts';

/** Rows of one statement: few enough that reading them holds nobody up. */
const pageRows = 250;

/** Keeps one collection like its table. Rows are taken in one by one, in the order in which they were read. */
export interface Mirror {
  /** Re-reads some rows; ids that are gone leave the collection. */
  refresh(ids: readonly string[]): Promise<void>;
  /** Re-reads all rows, page by page; refreshes get their turn in between. */
  load(): Promise<void>;
}

export function createMirror<Entry extends { readonly id: number | string }>(
  pool: pg.Pool,
  { id: idColumn, select, toEntry }: MirroredTable<Entry, Collection<Entry['id'], Entry>>,
  collection: Collection<Entry['id'], Entry>,
  openKey: OpenApiKey,
): Mirror {
  // Two reads at once could end in the other order, and the older one bring back what is gone.
  const inTurn = createSerialQueue();
  const selectPage = `${select} AND t.id = ANY($1::${idColumn.type}[])`;
  // Arrays of ids as texts, which go back as they are. The order is that in which the rows lie.
  const listPages = `SELECT array_agg(id)::text AS ids FROM (
      SELECT id, (row_number() OVER ()) / ${pageRows} AS page FROM (${select}) present
    ) numbered GROUP BY page`;

  const readPage = async (ids: string | readonly string[], seen: Set<Entry['id']>) => {
    const { rows } = await pool.query<Record<string, unknown>>(withQueryTimeout(selectPage, [ids]));
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
      const { rows: pages } = await pool.query<{ ids: string }>(listPages);
      const seen = new Set<Entry['id']>();
      for (const { ids } of pages) await inTurn(() => readPage(ids, seen));
      const unseen: string[] = [];
      await runInSlices(collection.ids(), (id) => {
        if (!seen.has(id)) unseen.push(String(id));
      });
      // Not taken for gone: they may have come after the pages were listed.
      await refresh(unseen);
    },
  };
}
