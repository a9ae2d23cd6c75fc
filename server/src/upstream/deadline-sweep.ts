const tickMs = 100;

/** Something with deadlines of its own; `checkDeadlines` is called every tick with a monotonic time. */
export interface Watched {
  checkDeadlines(nowMs: number): void;
}

export type DeadlineSweep = Pick<Set<Watched>, 'add' | 'delete'>;

/**
 * One timer for all requests in flight, instead of several for each that every chunk would have to move: a chunk
 * only leaves a mark that the next tick reads. Deadlines are met up to two ticks late, never early.
 */
export function createDeadlineSweep(): DeadlineSweep {
  const watched = new Set<Watched>();
  let timer: NodeJS.Timeout | null = null;

  const sweep = () => {
    const nowMs = performance.now();
    for (const entry of watched) entry.checkDeadlines(nowMs);
    if (watched.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };

  return {
    add(entry) {
      timer ??= setInterval(sweep, tickMs).unref();
      return watched.add(entry);
    },
    delete: (entry) => watched.delete(entry),
  };
}
