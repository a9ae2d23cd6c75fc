import { sql } from 'drizzle-orm';
import type { SystemDatabase } from '../system.ts';
import { dayPartition } from './day-partition.ts';
import { dropDay } from './drop-day.ts';

/**
 * Drops the partitions of a log table that end before `day`; returns how many. Locked ones are left for the next call.
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
  // A table whose name does not match its day is not ours.
  return rows
    .filter(({ table, day }) => day < end && dayPartition(parent, day).table === table)
    .map(({ day }) => day)
    .toSorted((one, other) => one - other);
}
