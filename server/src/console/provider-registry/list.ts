import type { ProviderRegistryEntry, providerRegistryStats } from '@sluice/contract';
import type { z } from 'zod';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { notFound } from '#errors/console-error.ts';
import { isBuiltInProvider, toVendorProvider } from '#providers/registry.ts';
import { countOwnInstances, findRegistryRow, type RegistryRow, selectRegistry } from './store.ts';

export async function listProviderRegistry(tx: TenantTransaction): Promise<ProviderRegistryEntry[]> {
  const rows = await selectRegistry(tx);
  return rows.map(toRegistryEntry);
}

export async function getProviderRegistryEntry(
  tx: TenantTransaction,
  _author: Principal,
  id: number,
): Promise<ProviderRegistryEntry> {
  const row = await findRegistryRow(tx, id);
  if (!row) throw notFound('Provider');
  return toRegistryEntry(row);
}

export async function getProviderRegistryStats(
  tx: TenantTransaction,
  author: Principal,
): Promise<z.input<typeof providerRegistryStats>> {
  const vendors = (await selectRegistry(tx)).map(toRegistryEntry);
  return {
    total_providers: vendors.length,
    active_providers: vendors.filter((vendor) => vendor.is_active).length,
    total_models: vendors.reduce((total, { models }) => total + models.length, 0),
    total_instances: await countOwnInstances(tx, author.tenantId),
  };
}

/** Maps a provider row. The provider is inactive if this version does not support it. */
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
