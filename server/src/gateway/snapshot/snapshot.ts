import type pg from 'pg';
import { createSerialQueue } from '#platform/serial-queue.ts';
import type { Collection } from './collection.ts';
import { createMirror, type Mirror } from './mirror.ts';
import { mirroredTables } from './tables/all-tables.ts';
import type { MirroredTable, OpenApiKey } from './tables/mirrored-table.ts';

type Collections = {
  readonly [Name in keyof typeof mirroredTables]: ReturnType<(typeof mirroredTables)[Name]['createRows']>;
};

/** Data that the gateway uses without querying the database. Read at startup and kept current by announced changes. */
export interface Snapshot extends Collections {
  /** Ids that no longer exist are removed from the snapshot. */
  refresh(table: string, ids: readonly string[]): Promise<void>;
  /** Rereads every table in small pages. Changes are read between pages. */
  load(): Promise<void>;
  /** Registers a listener that is called each time rows have been read. */
  onRead(listener: () => void): void;
}

/** Creates an empty snapshot. Call `load` before use. `openKey` opens a sealed provider key. */
export function createSnapshot(pool: pg.Pool, openKey: OpenApiKey): Snapshot {
  const { collections, mirrors } = createMirrors(pool, openKey);
  const inTurn = createSerialQueue();
  const listeners: (() => void)[] = [];
  const onRead = () => {
    for (const listener of listeners) listener();
  };
  return {
    ...collections,
    async refresh(table, ids) {
      const mirror = mirrors.get(table);
      if (!mirror) return;
      await mirror.refresh(ids);
      onRead();
    },
    load: () =>
      inTurn(async () => {
        for (const mirror of mirrors.values()) {
          await mirror.load();
          onRead();
        }
      }),
    onRead: (listener) => void listeners.push(listener),
  };
}

interface AnyEntry {
  readonly id: number | string;
}
type AnyTable = MirroredTable<AnyEntry, Collection<AnyEntry['id'], AnyEntry>>;

function createMirrors(
  pool: pg.Pool,
  openKey: OpenApiKey,
): { collections: Collections; mirrors: Map<string, Mirror> } {
  const collections: Record<string, Collection<AnyEntry['id'], AnyEntry>> = {};
  const mirrors = new Map<string, Mirror>();
  for (const [name, table] of Object.entries<AnyTable>(mirroredTables)) {
    const rows = table.createRows();
    collections[name] = rows;
    mirrors.set(table.name, createMirror(pool, table, rows, openKey));
  }
  // safe because each name has the rows of its table
  return { collections: collections as unknown as Collections, mirrors };
}
