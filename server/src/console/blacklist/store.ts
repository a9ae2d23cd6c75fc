import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm';
import { containsText } from '#db/contains-text.ts';
import { blacklistEntries, llmProviders, providerRegistry } from '#db/schema/llm-providers.ts';
import { users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';

export interface EntryFilters {
  readonly provider_key?: string | undefined;
  readonly search?: string | undefined;
}

/** Displayed if the author was deleted. */
const unknownBlocker = 'Unknown';

function holdsText(search = ''): SQL | undefined {
  if (search.trim() === '') return undefined;
  const { providerKey, modelPattern, reason, description } = blacklistEntries;
  const texts = [
    providerKey,
    modelPattern,
    reason,
    description,
    sql`coalesce(${users.name}, ${unknownBlocker})`,
  ];
  return containsText(search.trim(), ...texts);
}

export function selectEntries(
  tx: TenantTransaction,
  tenantId: number,
  { id, provider_key: provider, search }: EntryFilters & { id?: number } = {},
) {
  return tx
    .select({
      id: blacklistEntries.id,
      providerKey: blacklistEntries.providerKey,
      modelPattern: blacklistEntries.modelPattern,
      reason: blacklistEntries.reason,
      description: blacklistEntries.description,
      blockedBy: users.name,
      createdAt: blacklistEntries.createdAt,
    })
    .from(blacklistEntries)
    .leftJoin(users, and(eq(users.id, blacklistEntries.blockedBy), eq(users.tenantId, tenantId)))
    .where(
      and(
        eq(blacklistEntries.tenantId, tenantId),
        id === undefined ? undefined : eq(blacklistEntries.id, id),
        provider ? eq(blacklistEntries.providerKey, provider) : undefined,
        holdsText(search),
      ),
    )
    .orderBy(desc(blacklistEntries.id));
}

export type EntryRow = Awaited<ReturnType<typeof selectEntries>>[number];

/**
 * Returns the new entry's id, or `undefined` if the tenant already has an entry with this provider and pattern,
 * ignoring case.
 */
export async function insertEntry(
  tx: TenantTransaction,
  values: typeof blacklistEntries.$inferInsert,
): Promise<number | undefined> {
  const [row] = await tx
    .insert(blacklistEntries)
    .values(values)
    .onConflictDoNothing()
    .returning({ id: blacklistEntries.id });
  return row?.id;
}

export async function deleteEntry(tx: TenantTransaction, tenantId: number, id: number): Promise<boolean> {
  const { rowCount } = await tx
    .delete(blacklistEntries)
    .where(and(eq(blacklistEntries.tenantId, tenantId), eq(blacklistEntries.id, id)));
  return rowCount === 1;
}

export function selectEnabledModels(tx: TenantTransaction, tenantId: number) {
  return tx
    .select({
      providerKey: providerRegistry.providerKey,
      enabledModels: sql<string[]>`array_agg(DISTINCT enabled.model ORDER BY enabled.model)`,
    })
    .from(llmProviders)
    .innerJoin(providerRegistry, eq(providerRegistry.id, llmProviders.providerRegistryId))
    .crossJoin(sql`unnest(${llmProviders.enabledModels}) AS enabled (model)`)
    .where(and(eq(llmProviders.tenantId, tenantId), llmProviders.isActive, providerRegistry.isActive))
    .groupBy(providerRegistry.providerKey)
    .orderBy(asc(providerRegistry.providerKey));
}
