import { eq, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { apiKeys } from '#db/schema/api-keys.ts';
import { installation } from '#db/schema/installation.ts';

/** What the database was set up with; `undefined` on a fresh one. */
export async function findSecretCheck(database: NodePgDatabase): Promise<Buffer | undefined> {
  const [row] = await database.select({ secretCheck: installation.secretCheck }).from(installation);
  return row?.secretCheck;
}

/** Whether the migrations have made the table of installations yet. */
export async function hasInstallationTable(database: NodePgDatabase): Promise<boolean> {
  const { rows } = await database.execute(sql`SELECT to_regclass('installation') IS NOT NULL AS exists`);
  return rows[0]?.exists === true;
}

export async function insertInstallation(tx: NodePgDatabase, secretCheck: Buffer): Promise<void> {
  await tx.insert(installation).values({ secretCheck });
}

/** The key of the first user is the one that ends when another is used. */
export async function markFirstKey(tx: NodePgDatabase, userId: number): Promise<void> {
  const firstKey = tx.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.userId, userId));
  await tx.update(installation).set({ firstKeyId: sql`(${firstKey})` });
}
