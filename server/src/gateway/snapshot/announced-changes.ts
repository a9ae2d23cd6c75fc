import type { Logger } from '#platform/logger.ts';
import type { Snapshot } from './snapshot.ts';

/** Announced changes, read in rounds: those announced during a round are read together after it. */
export interface AnnouncedChanges {
  /** Requests a read of a row, named by table and id as in `users:7`. */
  add(change: string): void;
  /** Resolves when everything added before has been read; rejects if some of it could not be. */
  whenRead(): Promise<void>;
}

export function createAnnouncedChanges(
  { refresh }: Pick<Snapshot, 'refresh'>,
  log: Logger,
): AnnouncedChanges {
  let idsByTable = new Map<string, Set<string>>();
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | null = null;

  const readRound = async () => {
    const round = idsByTable;
    idsByTable = new Map();
    next = null;
    const reads = await Promise.allSettled([...round].map(([table, ids]) => refresh(table, [...ids])));
    for (const read of reads) if (read.status === 'rejected') throw read.reason;
  };
  const startRound = () => {
    const round = last.then(readRound);
    last = round.catch((error) => log.warn({ error }, 'could not read announced changes'));
    return round;
  };
  const whenRead = () => {
    next ??= startRound();
    return next;
  };

  return {
    add(change) {
      const table = change.slice(0, change.indexOf(':'));
      idsByTable.getOrInsertComputed(table, () => new Set()).add(change.slice(table.length + 1));
      void whenRead();
    },
    whenRead,
  };
}
