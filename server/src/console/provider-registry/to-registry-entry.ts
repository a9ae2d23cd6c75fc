import type { ProviderRegistryEntry } from '@sluice/contract';
import { isBuiltInProvider, toVendorProvider } from '#providers/registry.ts';
import type { RegistryRow } from './store.ts';

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
