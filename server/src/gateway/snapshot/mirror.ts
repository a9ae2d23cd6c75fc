import type pg from 'pg';
import { withQueryTimeout } from '#db/query-timeout.ts';
import { inSlices } from '#platform/in-slices.ts';
import { createSerialQueue } from '#platform/serial-queue.ts';
import type { Collection } from './collection.ts';
import type { RowReader } from './rows.ts';

/** Rows of one statement: few enough that reading them holds nobody up. */
const pageRows = 250;

/** Keeps one collection like its table. Rows are taken in one by one, in the order in which they were read. */
export interface Mirror {
  /** Re-reads some rows; ids that are gone leave the collection. */
  refresh(ids: readonly string[]): Promise<void>;
  /** Re-reads all rows, page by page; refreshes get their turn in between. */
  load(): Promise<void>;
}

export function createMirror<Id, Entry extends { readonly id: Id }>(
  pool: pg.Pool,
  { select, idType, toEntry }: RowReader<Entry>,
  collection: Collection<Id, Entry>,
  parseId: (id: string) => Id,
): Mirror {
  // Two reads at once could end in the other order, and the older one bring back what is gone.
  const inTurn = createSerialQueue();
  const selectPage = `${select} AND t.id = ANY($1::${idType}[])`;
  // Arrays of ids as texts, which go back as they are. The order is that in which the rows lie.
  const listPages = `SELECT array_agg(id)::text AS ids FROM (
      SELECT id, (row_number() OVER ()) / ${pageRows} AS page FROM (${select}) present
    ) numbered GROUP BY page`;

  const readPage = async (ids: string | readonly string[], seen: Set<Id>) => {
    const { rows } = await pool.query<Record<string, unknown>>(withQueryTimeout(selectPage, [ids]));
    await inSlices(rows, (row) => {
      const entry = toEntry(row);
      seen.add(entry.id);
      collection.put(entry);
    });
  };

  const refreshPage = async (ids: readonly string[]) => {
    const present = new Set<Id>();
    await readPage(ids, present);
    for (const id of ids.map(parseId)) if (!present.has(id)) collection.remove(id);
  };

  const refresh = async (ids: readonly string[]) => {
    for (let start = 0; start < ids.length; start += pageRows)
      await inTurn(() => refreshPage(ids.slice(start, start + pageRows)));
  };

  return {
    refresh,
    async load() {
      const { rows: pages } = await pool.query<{ ids: string }>(listPages);
      const seen = new Set<Id>();
      for (const { ids } of pages) await inTurn(() => readPage(ids, seen));
      const unseen: string[] = [];
      await inSlices(collection.ids(), (id) => {
        if (!seen.has(id)) unseen.push(String(id));
      });
      // Not taken for gone: they may have come after the pages were listed.
      await refresh(unseen);
    },
  };
}
