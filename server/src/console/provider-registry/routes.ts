import type { providerRegistryRoutes } from '@sluice/contract';
import type { SystemDatabase } from '#db/system.ts';
import type { Handlers } from '#http/console-route.ts';
import {
  createProviderRegistryEntry,
  deleteProviderRegistryEntry,
  updateProviderRegistryEntry,
} from './change.ts';
import { getProviderRegistryEntry, getProviderRegistryStats, listProviderRegistry } from './list.ts';

export function createProviderRegistryHandlers({
  system,
}: {
  readonly system: SystemDatabase;
}): Handlers<typeof providerRegistryRoutes> {
  return {
    listProviderRegistry: (ctx) => listProviderRegistry(ctx),
    createProviderRegistryEntry: (ctx, { body }) => createProviderRegistryEntry(system, ctx, body),
    getProviderRegistryEntry: (ctx, { params }) => getProviderRegistryEntry(ctx, params.id),
    updateProviderRegistryEntry: (ctx, { params, body }) =>
      updateProviderRegistryEntry(system, ctx, params.id, body),
    deleteProviderRegistryEntry: (ctx, { params }) => deleteProviderRegistryEntry(system, ctx, params.id),
    getProviderRegistryStats: (ctx) => getProviderRegistryStats(ctx),
  };
}
