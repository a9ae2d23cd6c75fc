import { setTimeout as pause } from 'node:timers/promises';
import { DrizzleQueryError, sql } from 'drizzle-orm';
import type { SystemDatabase } from '../system.ts';
import { dayPartition } from './day-partition.ts';

/** Short, because a waiting lock request blocks all later requests. */
const lockTimeoutMs = 20;
const triesMax = 600;
const retryMs = 100;

/**
 * Drops one day of a partitioned table and returns whether this succeeded. Concurrent queries wait only for
 * milliseconds. The day is not detached first, because PostgreSQL does not support concurrent detaching from a table
 * with a default partition.
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

/**
 * Drops the partitions of a log table that end before `day`, and returns their number. Locked partitions are left for
 * the next call.
 */
export async function dropDaysBefore(
  database: SystemDatabase,
  parent: string,
  day: number,
  signal: AbortSignal,
): Promise<number> {
  let dropped = 0;
  for (const old of await listDaysBefore(database, parent, day)) {
    if (await dropDay(database, parent, old, signal)) dropped += 1;
  }
  return dropped;
}

async function listDaysBefore(database: SystemDatabase, parent: string, end: number): Promise<number[]> {
  const { rows } = await database.execute<{ table: string; day: number }>(
    sql`SELECT relname AS "table", to_date(right(relname, 8), 'YYYYMMDD') - date '1970-01-01' AS day
      FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
      WHERE inhparent = ${parent}::regclass AND relname ~ '_[0-9]{8}$'`,
  );
  // Skip tables whose name does not match their day, because they were not created by Sluice.
  return rows
    .filter(({ table, day }) => day < end && dayPartition(parent, day).table === table)
    .map(({ day }) => day)
    .toSorted((one, other) => one - other);
}

/** Matches `lock_not_available` and `deadlock_detected`. */
export function isLockTaken(error: unknown): boolean {
  const cause = error instanceof DrizzleQueryError ? error.cause : undefined;
  return cause !== undefined && 'code' in cause && ['55P03', '40P01'].includes(String(cause.code));
}
