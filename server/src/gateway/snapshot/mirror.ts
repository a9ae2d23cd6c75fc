import type pg from 'pg';
import { promptly } from '#db/promptly.ts';
import { inSlices } from '#platform/in-slices.ts';
import { createTurns } from '#platform/turns.ts';
import type { Collection } from './collection.ts';
import type { RowReader } from './rows.ts';

/** Rows of one statement: few enough that reading them holds nobody up. */
const pageRows = 500;

/** Keeps one collection like its table. Rows are taken in one by one, in the order in which they were read. */
export interface Mirror {
  /** Re-reads some rows; ids that are gone leave the collection. */
  refresh(ids: readonly string[]): Promise<void>;
  /** Re-reads all rows, page by page; what refreshes read meanwhile stays. One at a time. */
  load(): Promise<void>;
}

export function createMirror<Id, Entry extends { readonly id: Id }>(
  pool: pg.Pool,
  { select, idType, toEntry }: RowReader<Entry>,
  collection: Collection<Id, Entry>,
  parseId: (id: string) => Id,
): Mirror {
  // Two reads at once could end in the other order, and the older one bring back what is gone.
  const inTurn = createTurns();
  /** What was read since the running load began; `null` while none runs. */
  let seen: Set<Id> | null = null;

  const read = async (condition: string, value: unknown): Promise<readonly unknown[]> => {
    const { rows } = await pool.query(promptly(`${select} AND ${condition}`, [value]));
    return rows;
  };
  const takeIn = async (rows: readonly unknown[]): Promise<Entry[]> => {
    const entries: Entry[] = [];
    await inSlices(rows, (row) => {
      const entry = toEntry(row);
      seen?.add(entry.id);
      collection.put(entry);
      entries.push(entry);
    });
    return entries;
  };
  const refreshPage = async (ids: readonly string[]) => {
    const entries = await takeIn(await read(`t.id = ANY($1::${idType}[])`, ids));
    const present = new Set(entries.map(({ id }) => id));
    for (const id of ids.map(parseId)) if (!present.has(id)) collection.remove(id);
  };
  const nextPage = `($1::${idType} IS NULL OR t.id > $1::${idType}) ORDER BY t.id LIMIT ${pageRows}`;

  return {
    async refresh(ids) {
      for (let at = 0; at < ids.length; at += pageRows)
        await inTurn(() => refreshPage(ids.slice(at, at + pageRows)));
    },
    async load() {
      const present = new Set<Id>();
      seen = present;
      let page: readonly Entry[] = [];
      do {
        const after = page.at(-1)?.id ?? null;
        page = await inTurn(async () => takeIn(await read(nextPage, after)));
      } while (page.length === pageRows);
      await inTurn(() =>
        inSlices(collection.ids(), (id) => {
          if (!present.has(id)) collection.remove(id);
        }),
      );
      seen = null;
    },
  };
}
