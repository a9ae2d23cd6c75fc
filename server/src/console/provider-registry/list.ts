import type { ProviderRegistryEntry } from '@sluice/contract';
import type { SignedInContext } from '#http/console-route.ts';
import { findProvider } from '#providers/registry.ts';
import { selectRegistry } from './store.ts';

/** The vendors in the database; one that this version cannot talk to is inactive. */
export async function listProviderRegistry(ctx: SignedInContext): Promise<ProviderRegistryEntry[]> {
  const rows = await ctx.inTenant(selectRegistry);
  return rows.map((row) => {
    const provider = findProvider(row.providerKey);
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
      is_active: row.isActive && provider !== undefined,
      value: row.providerKey,
      label: row.displayName,
      models,
    };
  });
}
