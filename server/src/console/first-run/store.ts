import { eq, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { apiKeys } from '#db/schema/api-keys.ts';
import { installation } from '#db/schema/platform.ts';

/** Returns the installation's secret check, or `undefined` for a new database. */
export async function findSecretCheck(database: NodePgDatabase): Promise<Buffer | undefined> {
  const [row] = await database.select({ secretCheck: installation.secretCheck }).from(installation);
  return row?.secretCheck;
}

/** Whether migrations have already created the installation table. */
export async function hasInstallationTable(database: NodePgDatabase): Promise<boolean> {
  const { rows } = await database.execute(sql`SELECT to_regclass('installation') IS NOT NULL AS exists`);
  return rows[0]?.exists === true;
}

export async function insertInstallation(tx: NodePgDatabase, secretCheck: Buffer): Promise<void> {
  await tx.insert(installation).values({ secretCheck });
}

export async function markFirstKey(tx: NodePgDatabase, userId: number): Promise<void> {
  const firstKey = tx.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.userId, userId));
  await tx.update(installation).set({ firstKeyId: sql`(${firstKey})` });
}
