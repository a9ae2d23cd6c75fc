import { sql } from 'drizzle-orm';
import { floorId, timeOfId } from '#domain/request-log/request-id.ts';
import type { SystemDatabase } from '../system.ts';

const dayMs = 86_400_000;

/** The partition of one UTC day: ids from `from` up to, but excluding, `to`. */
export interface DayPartition {
  /** Days since 1970. */
  readonly day: number;
  readonly table: string;
  readonly from: string;
  readonly to: string;
}

export function dayOf(ms: number): number {
  return Math.floor(ms / dayMs);
}

/** Returns the day of a UUIDv7. */
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
 * Creates a separate table that is identical to its parent, without blocking queries. Its check constraint avoids a
 * scan when the table is attached.
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

/** Makes the table a partition. PostgreSQL scans a default partition for rows of that day. */
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
