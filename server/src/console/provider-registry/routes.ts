import type { providerRegistryRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import {
  createProviderRegistryEntry,
  deleteProviderRegistryEntry,
  type ProviderRegistryDeps,
  updateProviderRegistryEntry,
} from './change.ts';
import { getProviderRegistryEntry, getProviderRegistryStats, listProviderRegistry } from './list.ts';

export function createProviderRegistryHandlers(
  deps: ProviderRegistryDeps,
): Handlers<typeof providerRegistryRoutes> {
  const { system } = deps;
  return {
    listProviderRegistry: (ctx) => listProviderRegistry(ctx),
    createProviderRegistryEntry: (ctx, { body }) => createProviderRegistryEntry(deps, ctx, body),
    getProviderRegistryEntry: (ctx, { params }) => getProviderRegistryEntry(ctx, params.id),
    updateProviderRegistryEntry: (ctx, { params, body }) =>
      updateProviderRegistryEntry(system, ctx, params.id, body),
    deleteProviderRegistryEntry: (ctx, { params }) => deleteProviderRegistryEntry(system, ctx, params.id),
    getProviderRegistryStats: (ctx) => getProviderRegistryStats(ctx),
  };
}
