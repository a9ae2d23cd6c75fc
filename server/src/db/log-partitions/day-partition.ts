import { sql } from 'drizzle-orm';
import type { SystemDatabase } from '../system.ts';

const dayMs = 86_400_000;
/** The first millisecond that does not fit into a UUIDv7. */
const endOfTimeMs = 2 ** 48;

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

/** Returns the day of a UUIDv7 (RFC 9562, section 5.7). */
export function dayOfId(id: string): number {
  return dayOf(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));
}

export function dayPartition(parent: string, day: number): DayPartition {
  const start = new Date(day * dayMs);
  const name = [start.getUTCFullYear(), start.getUTCMonth() + 1, start.getUTCDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('');
  return { day, table: `${parent}_${name}`, from: floorId(day * dayMs), to: floorId((day + 1) * dayMs) };
}

/** Returns the smallest id of a millisecond, as `uuid_floor` of the database does. */
function floorId(ms: number): string {
  if (ms >= endOfTimeMs) return 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  const digits = ms.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
}

export const defaultOf = (parent: string): string => `${parent}_default`;

/**
 * Creates a table identical to its parent but separate, which blocks no queries. Its check constraint saves a scan when
 * the table is attached.
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

/** Makes the table a partition. A default partition is scanned for rows of that day. */
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
