import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';

const lockNumbers = {
  firstRun: 1,
  llmProviders: 3,
  slugs: 4,
  signIns: 5,
  deviceCodes: 6,
  signInPolicy: 7,
} as const;

/**
 * Takes an advisory lock until the transaction ends, so that later statements see what the previous holder committed.
 * `tenantId` 0 locks for the whole platform.
 */
export async function holdLock(
  tx: NodePgDatabase,
  name: keyof typeof lockNumbers,
  tenantId: number,
): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${lockNumbers[name]}::int, ${tenantId}::int)`);
}

/** Takes the lock together with other transactions that share it, until the transaction ends; `holdLock` waits for them. */
export async function shareLock(
  tx: NodePgDatabase,
  name: keyof typeof lockNumbers,
  tenantId: number,
): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock_shared(${lockNumbers[name]}::int, ${tenantId}::int)`);
}
