import { sql } from 'drizzle-orm';
import { floorId, timeOfId } from '#domain/request-log/request-id.ts';
import type { SystemDatabase } from '../system.ts';

const dayMs = 86_400_000;

/** Partition of one UTC day, with ids from `from` (inclusive) to `to` (exclusive). */
export interface DayPartition {
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly table: string;
  readonly from: string;
  readonly to: string;
}

export function dayOf(ms: number): number {
  return Math.floor(ms / dayMs);
}

/** Returns the UTC day of a UUIDv7, in days since 1970-01-01. */
export function dayOfId(id: string): number {
  return dayOf(timeOfId(id));
}

export function dayPartition(parent: string, day: number): DayPartition {
  const start = new Date(day * dayMs);
  const name = [start.getUTCFullYear(), start.getUTCMonth() + 1, start.getUTCDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('');
  return { day, table: `${parent}_${name}`, from: floorId(day * dayMs), to: floorId((day + 1) * dayMs) };
}

export const defaultOf = (parent: string): string => `${parent}_default`;

/**
 * Creates a separate table with the same definition as its parent, without blocking queries. A check constraint
 * avoids a scan when the table is attached.
 */
export async function createDayTable(
  tx: SystemDatabase,
  parent: string,
  { table, from, to }: DayPartition,
): Promise<void> {
  await tx.execute(
    sql.raw(
      `CREATE TABLE IF NOT EXISTS ${table} (LIKE ${parent} INCLUDING ALL, CONSTRAINT own_day CHECK (id >= '${from}' AND id < '${to}'))`,
    ),
  );
}

/** Attaches the table as a partition. If there is a default partition, PostgreSQL scans it for rows of the day. */
export async function attachDay(
  tx: SystemDatabase,
  parent: string,
  { table, from, to }: DayPartition,
): Promise<void> {
  await tx.execute(
    sql.raw(`ALTER TABLE ${parent} ATTACH PARTITION ${table} FOR VALUES FROM ('${from}') TO ('${to}')`),
  );
  await tx.execute(sql.raw(`ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS own_day`));
}
