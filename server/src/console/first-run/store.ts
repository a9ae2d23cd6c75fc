import { eq, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { apiKeys } from '#db/schema/api-keys.ts';
import { installation } from '#db/schema/installation.ts';
import { llmProviders } from '#db/schema/llm-providers.ts';
import { providerRegistry } from '#db/schema/provider-registry.ts';
import { roles } from '#db/schema/roles.ts';
import { tenants } from '#db/schema/tenants.ts';
import { users } from '#db/schema/users.ts';

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

export async function insertTenant(tx: NodePgDatabase, name: string, slug: string): Promise<number> {
  const rows = await tx.insert(tenants).values({ name, slug }).returning({ id: tenants.id });
  return idOf(rows);
}

/** A super administrator without limits. */
export async function insertSuperAdmin(
  tx: NodePgDatabase,
  person: { tenantId: number; email: string; name: string; passwordHash: string },
): Promise<number> {
  const [role] = await tx.select({ id: roles.id }).from(roles).where(eq(roles.name, 'super_admin'));
  if (!role) throw new Error('the migrations have not made the roles');
  const unlimited = { dailyQuota: null, monthlyQuota: null, requestsPerHour: null };
  const rows = await tx
    .insert(users)
    .values({ ...person, ...unlimited, roleId: role.id })
    .returning({ id: users.id });
  return idOf(rows);
}

/** The key of the first user is the one that ends when another is used. */
export async function markFirstKey(tx: NodePgDatabase, userId: number): Promise<void> {
  const firstKey = tx.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.userId, userId));
  await tx.update(installation).set({ firstKeyId: sql`(${firstKey})` });
}

export async function insertSandbox(tx: NodePgDatabase, tenantId: number, models: string[]): Promise<void> {
  const [vendor] = await tx
    .select({ id: providerRegistry.id })
    .from(providerRegistry)
    .where(eq(providerRegistry.providerKey, 'sandbox'));
  if (!vendor) throw new Error('the registry does not hold the sandbox');
  await tx.insert(llmProviders).values({
    tenantId,
    providerRegistryId: vendor.id,
    providerInstanceName: 'sandbox',
    enabledModels: models,
    availableModels: models,
    defaultModel: models[0] ?? null,
    isDefault: true,
  });
}

function idOf([row]: { id: number }[]): number {
  if (!row) throw new Error('an insert answered no row');
  return row.id;
}
