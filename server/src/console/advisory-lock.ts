import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';

const lockNumbers = { firstRun: 1, llmProviders: 3, slugs: 4, signIns: 5, deviceCodes: 6 } as const;

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
