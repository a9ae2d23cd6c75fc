import type pg from 'pg';
import { FairPool } from './fair-pool.ts';

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
  return [...open].map(([pool, name]) => ({
    name: name.replace(/^sluice-/, ''),
    busy: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount + (pool instanceof FairPool ? pool.waitingTurns : 0),
  }));
}
