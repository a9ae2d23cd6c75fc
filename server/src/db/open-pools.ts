import type pg from 'pg';

interface PoolUse {
  readonly name: string;
  readonly busy: number;
  readonly idle: number;
  /** Callers who wait for a connection. */
  readonly waiting: number;
}

/** The pools of this process, by the names that the database knows them by. */
const open = new Map<pg.Pool, string>();

export function rememberPool(pool: pg.Pool, name: string): void {
  open.set(pool, name);
}

/** How the pools of this process are used, those that have ended left out. */
export function listPools(): PoolUse[] {
  for (const pool of open.keys()) if (pool.ended) open.delete(pool);
  return [...open].map(([{ totalCount, idleCount, waitingCount }, name]) => ({
    name: name.replace(/^sluice-/, ''),
    busy: totalCount - idleCount,
    idle: idleCount,
    waiting: waitingCount,
  }));
}
