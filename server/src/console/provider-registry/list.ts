import type { ProviderRegistryEntry, providerRegistryStats } from '@sluice/contract';
import type { z } from 'zod';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { isBuiltInProvider, toVendorProvider } from '#providers/registry.ts';
import { countOwnInstances, findRegistryRow, type RegistryRow, selectRegistry } from './store.ts';

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

/** Maps a provider row; inactive if this version does not support it. */
export function toRegistryEntry(row: RegistryRow): ProviderRegistryEntry {
  const provider = toVendorProvider(row);
  const models = row.supportedModels.length > 0 ? row.supportedModels : [...(provider?.models ?? [])];
  return {
    id: row.id,
    provider_key: row.providerKey,
    display_name: row.displayName,
    icon: row.icon,
    default_endpoint: provider?.defaultEndpoint ?? null,
    suggested_endpoint: provider?.defaultEndpoint ?? provider?.endpointExample ?? null,
    default_model: provider?.defaultModel ?? 'default',
    supported_models: models,
    is_built_in: isBuiltInProvider(row.providerKey),
    is_key_optional: provider?.isKeyOptional ?? false,
    is_active: row.isActive && provider !== undefined,
    value: row.providerKey,
    label: row.displayName,
    models,
  };
}
