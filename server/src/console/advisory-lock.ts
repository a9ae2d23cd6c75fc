import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';

const lockNumbers = { firstRun: 1, llmProviders: 3, slugs: 4 } as const;

/**
 * Waits until no other transaction holds the same lock; the end of this transaction releases it.
 * Statements after it see what the previous holder committed. `tenantId` 0 is a lock of the whole platform.
 */
export async function holdLock(
  tx: NodePgDatabase,
  name: keyof typeof lockNumbers,
  tenantId: number,
): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${lockNumbers[name]}::int, ${tenantId}::int)`);
}
