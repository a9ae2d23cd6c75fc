import { sql } from 'drizzle-orm';
import type { SystemDatabase } from '../system.ts';
import type { DayPartition } from './day-partition.ts';

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
