import type { ProviderRegistryEntry, providerRegistryStats } from '@sluice/contract';
import type { z } from 'zod';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { countOwnInstances, findRegistryRow, selectRegistry } from './store.ts';
import { toRegistryEntry } from './to-registry-entry.ts';

export async function listProviderRegistry(ctx: SignedInContext): Promise<ProviderRegistryEntry[]> {
  const rows = await ctx.inTenant(selectRegistry);
  return rows.map(toRegistryEntry);
}

export async function getProviderRegistryEntry(
  ctx: SignedInContext,
  id: number,
): Promise<ProviderRegistryEntry> {
  const row = await ctx.inTenant((tx) => findRegistryRow(tx, id));
  if (!row) throw notFound('Provider');
  return toRegistryEntry(row);
}

export function getProviderRegistryStats({
  principal,
  inTenant,
}: SignedInContext): Promise<z.input<typeof providerRegistryStats>> {
  return inTenant(async (tx) => {
    const vendors = (await selectRegistry(tx)).map(toRegistryEntry);
    return {
      total_providers: vendors.length,
      active_providers: vendors.filter((vendor) => vendor.is_active).length,
      total_models: vendors.reduce((total, { models }) => total + models.length, 0),
      total_instances: await countOwnInstances(tx, principal.tenantId),
    };
  });
}
