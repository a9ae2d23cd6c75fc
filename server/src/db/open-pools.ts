import type pg from 'pg';
import { FairPool } from './fair-pool.ts';

interface PoolUse {
  readonly name: string;
  readonly busy: number;
  readonly idle: number;
  readonly waiting: number;
}

const open = new Map<pg.Pool, string>();

export function rememberPool(pool: pg.Pool, name: string): void {
  open.set(pool, name);
}

export function listPools(): PoolUse[] {
  for (const pool of open.keys()) if (pool.ended) open.delete(pool);
  return [...open].map(([pool, name]) => ({
    name: name.replace(/^sluice-/, ''),
    busy: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount + (pool instanceof FairPool ? pool.waitingTurns : 0),
  }));
}

/** Closes all idle connections of the process, because a network outage may have broken them silently. */
export function dropIdleConnections(): void {
  for (const pool of open.keys()) {
    for (let idle = pool.idleCount; idle > 0 && !pool.ending; idle--) {
      const connected = pool instanceof FairPool ? pool.connectAtOnce() : pool.connect();
      connected.then(
        (client) => client.release(true),
        () => undefined,
      );
    }
  }
}
