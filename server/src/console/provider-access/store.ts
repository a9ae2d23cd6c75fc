import { and, eq } from 'drizzle-orm';
import { llmProviders } from '#db/schema/llm-providers.ts';
import { providerRegistry } from '#db/schema/provider-registry.ts';
import { userProviderAccess } from '#db/schema/user-provider-access.ts';
import { users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';

export async function findUserName(
  tx: TenantTransaction,
  tenantId: number,
  userId: number,
): Promise<string | undefined> {
  const [row] = await tx
    .select({ name: users.name })
    .from(users)
    .where(and(eq(users.tenantId, tenantId), eq(users.id, userId)));
  return row?.name;
}

export async function findInstance(tx: TenantTransaction, tenantId: number, llmProviderId: number) {
  const [row] = await tx
    .select({
      providerKey: providerRegistry.providerKey,
      registryId: llmProviders.providerRegistryId,
      name: llmProviders.providerInstanceName,
      enabledModels: llmProviders.enabledModels,
    })
    .from(llmProviders)
    .innerJoin(providerRegistry, eq(providerRegistry.id, llmProviders.providerRegistryId))
    .where(and(eq(llmProviders.tenantId, tenantId), eq(llmProviders.id, llmProviderId)));
  return row;
}

/** When the grant was made; `undefined` when the user has one for this instance. */
export async function insertGrant(
  tx: TenantTransaction,
  values: typeof userProviderAccess.$inferInsert,
): Promise<Date | undefined> {
  const [row] = await tx
    .insert(userProviderAccess)
    .values(values)
    .onConflictDoNothing()
    .returning({ createdAt: userProviderAccess.createdAt });
  return row?.createdAt;
}
