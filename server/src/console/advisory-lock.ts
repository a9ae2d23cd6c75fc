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
 * Acquires an advisory lock until the transaction ends, so that later statements see the changes committed by the
 * previous holder. A `tenantId` of 0 locks the whole platform.
 */
export async function holdLock(
  tx: NodePgDatabase,
  name: keyof typeof lockNumbers,
  tenantId: number,
): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${lockNumbers[name]}::int, ${tenantId}::int)`);
}

/** Acquires the lock in shared mode until the transaction ends. `holdLock` waits for all shared holders. */
export async function shareLock(
  tx: NodePgDatabase,
  name: keyof typeof lockNumbers,
  tenantId: number,
): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock_shared(${lockNumbers[name]}::int, ${tenantId}::int)`);
}
