import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { SystemDatabase } from '../system.ts';
import { dayPartition } from './day-partition.ts';
import { isLockTaken } from './lock-taken.ts';

/** A waiting lock request blocks all later ones, so it must be short. */
const lockTimeoutMs = 20;
const triesMax = 600;
const retryMs = 100;

/**
 * Drops a day of a partitioned table; returns whether it succeeded. Concurrent queries wait milliseconds. The day is
 * not detached first: PostgreSQL does not allow that concurrently if there is a default partition.
 */
export async function dropDay(
  database: SystemDatabase,
  parent: string,
  day: number,
  signal = new AbortController().signal,
): Promise<boolean> {
  for (let tries = 0; tries < triesMax && !signal.aborted; tries++) {
    try {
      await database.transaction(async (tx) => {
        await tx.execute(sql.raw(`SET LOCAL lock_timeout = ${lockTimeoutMs}`));
        await tx.execute(sql.raw(`DROP TABLE IF EXISTS ${dayPartition(parent, day).table}`));
      });
      return true;
    } catch (error) {
      if (!isLockTaken(error)) throw error;
      await pause(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }
  return false;
}
