const tickMs = 100;

/** The sweep checks the deadlines at every tick. Times are monotonic. */
export interface Watched {
  checkDeadlines(nowMs: number): void;
}

export type DeadlineSweep = Pick<Set<Watched>, 'add' | 'delete'>;

/**
 * One timer checks all requests in flight. Several timers per request would have to be reset on every chunk, whereas
 * here a chunk only sets a flag that the next tick reads. Deadlines fire up to two ticks late, never early.
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
