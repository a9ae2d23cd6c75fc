import type { JournalRecord } from '#gateway/journal/frame.ts';
import type { Destination } from './run.ts';

/**
 * Creates a fake database that can be unavailable. Like INSERT with ON CONFLICT DO NOTHING, it keeps the first row of
 * each id.
 */
export function fakeDatabase() {
  const rows = new Map<string, 'admitted' | 'settled'>();
  const insert = async (batch: readonly JournalRecord[]) => {
    database.batches.push(batch.map(({ id }) => id));
    if (database.isAway) throw new Error('connection refused');
    for (const { id, kind } of batch) if (!rows.has(id)) rows.set(id, kind);
  };
  const database = {
    rows,
    batches: [] as string[][],
    isAway: false,
    releases: [] as string[][],
    insert,
    open: (): Destination => ({
      shipSettled: (batch) => database.insert(batch),
      shipInterrupted: (batch) => database.insert(batch),
      findShipped: async (ids) => ids.filter((id) => rows.has(id)),
      releaseNodes: async (ids) => void database.releases.push([...ids]),
      removePosition: async () => {},
    }),
  };
  return database;
}
