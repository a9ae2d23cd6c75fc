import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { llmProviders, priceOverrides, providerRegistry } from '#db/schema/llm-providers.ts';
import { platformSettings } from '#db/schema/platform.ts';
import { tenants } from '#db/schema/tenants.ts';
import type { TenantTransaction } from '#db/tenant.ts';

export async function findCreditSettings(tx: TenantTransaction, tenantId: number) {
  const [row] = await tx
    .select({
      lowBalanceThreshold: tenants.lowBalanceThreshold,
      isServiceSpendingAllowed: tenants.isServiceSpendingAllowed,
    })
    .from(tenants)
    .where(eq(tenants.id, tenantId));
  return row;
}

export async function changeCreditSettings(
  tx: TenantTransaction,
  tenantId: number,
  columns: { lowBalanceThreshold?: bigint; isServiceSpendingAllowed?: boolean },
): Promise<void> {
  await tx.update(tenants).set(columns).where(eq(tenants.id, tenantId));
}

export async function findMarkup(tx: NodePgDatabase): Promise<number> {
  const [row] = await tx.select({ percent: platformSettings.markupPercentage }).from(platformSettings);
  if (!row) throw new Error('the migrations created no platform settings');
  return row.percent;
}

export async function changeMarkup(database: NodePgDatabase, markupPercentage: number): Promise<void> {
  await database.update(platformSettings).set({ markupPercentage });
}

export function selectOverrides(tx: TenantTransaction, tenantId: number) {
  return tx
    .select({
      llmProviderId: priceOverrides.llmProviderId,
      providerKey: priceOverrides.providerKey,
      model: priceOverrides.model,
      price: priceOverrides.price,
    })
    .from(priceOverrides)
    .where(or(isNull(priceOverrides.tenantId), eq(priceOverrides.tenantId, tenantId)));
}

type Override = typeof priceOverrides.$inferInsert;

export async function putOverride(database: NodePgDatabase, values: Override): Promise<void> {
  await database
    .insert(priceOverrides)
    .values(values)
    .onConflictDoUpdate({
      target: [priceOverrides.llmProviderId, priceOverrides.providerKey, priceOverrides.model],
      set: { price: values.price, createdBy: values.createdBy ?? null },
    });
}

export async function deleteOverride(
  database: NodePgDatabase,
  { llmProviderId, providerKey, model }: Pick<Override, 'llmProviderId' | 'providerKey' | 'model'>,
): Promise<void> {
  await database
    .delete(priceOverrides)
    .where(
      and(
        sql`${priceOverrides.llmProviderId} IS NOT DISTINCT FROM ${llmProviderId ?? null}::integer`,
        sql`${priceOverrides.providerKey} IS NOT DISTINCT FROM ${providerKey ?? null}::text`,
        eq(priceOverrides.model, model),
      ),
    );
}

export function selectInstances(tx: TenantTransaction, tenantId: number, id?: number) {
  const wanted: SQL = id === undefined ? eq(llmProviders.isActive, true) : eq(llmProviders.id, id);
  return tx
    .select({
      id: llmProviders.id,
      providerKey: providerRegistry.providerKey,
      enabledModels: llmProviders.enabledModels,
      isServiceManaged: llmProviders.isServiceManaged,
    })
    .from(llmProviders)
    .innerJoin(providerRegistry, eq(providerRegistry.id, llmProviders.providerRegistryId))
    .where(and(eq(llmProviders.tenantId, tenantId), wanted))
    .orderBy(llmProviders.id);
}
