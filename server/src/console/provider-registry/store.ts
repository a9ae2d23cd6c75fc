import { and, asc, count, eq, notExists, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { llmProviders, providerRegistry } from '#db/schema/llm-providers.ts';
import type { TenantTransaction } from '#db/tenant.ts';

export function selectRegistry(tx: TenantTransaction) {
  return tx.select().from(providerRegistry).orderBy(asc(providerRegistry.id));
}

export async function findRegistryRow(tx: NodePgDatabase, id: number) {
  const [row] = await tx.select().from(providerRegistry).where(eq(providerRegistry.id, id));
  return row;
}

export type RegistryRow = NonNullable<Awaited<ReturnType<typeof findRegistryRow>>>;

/** Inserts a provider. Returns `undefined` if the key is already used. */
export async function insertVendor(
  tx: NodePgDatabase,
  values: typeof providerRegistry.$inferInsert,
): Promise<RegistryRow | undefined> {
  const [row] = await tx.insert(providerRegistry).values(values).onConflictDoNothing().returning();
  return row;
}

export async function updateVendor(
  tx: NodePgDatabase,
  id: number,
  columns: Partial<typeof providerRegistry.$inferInsert>,
): Promise<RegistryRow | undefined> {
  const [row] = await tx.update(providerRegistry).set(columns).where(eq(providerRegistry.id, id)).returning();
  return row;
}

/** Deletes a provider. Returns `false` if any tenant has an instance of it. */
export async function deleteUnused(tx: NodePgDatabase, id: number): Promise<boolean> {
  const instances = tx
    .select({ id: llmProviders.id })
    .from(llmProviders)
    .where(eq(llmProviders.providerRegistryId, id));
  const { rowCount } = await tx
    .delete(providerRegistry)
    .where(and(eq(providerRegistry.id, id), notExists(instances)));
  return rowCount === 1;
}

export async function countOwnInstances(tx: TenantTransaction, tenantId: number): Promise<number> {
  const [row] = await tx
    .select({ total: count() })
    .from(llmProviders)
    .where(eq(llmProviders.tenantId, tenantId));
  return row?.total ?? 0;
}

export interface Vendor {
  providerKey: string;
  displayName: string;
  icon: string;
}

/** The active state of existing providers does not change. */
export async function upsertVendors(database: NodePgDatabase, vendors: Vendor[]): Promise<void> {
  await database
    .insert(providerRegistry)
    .values(vendors)
    .onConflictDoUpdate({
      target: providerRegistry.providerKey,
      set: { displayName: sql`excluded.display_name`, icon: sql`excluded.icon` },
    });
}
