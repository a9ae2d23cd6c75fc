import type { providerRegistryRoutes } from '@sluice/contract';
import { createAcrossTenants } from '#console/across-tenants.ts';
import type { CheckEndpointUrl } from '#console/llm-providers/endpoint.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { Handlers } from '#http/console-route.ts';
import { read } from '#http/verbs.ts';
import {
  createProviderRegistryEntry,
  deleteProviderRegistryEntry,
  updateProviderRegistryEntry,
} from './change.ts';
import { getProviderRegistryEntry, getProviderRegistryStats, listProviderRegistry } from './list.ts';

interface ProviderRegistryDeps {
  readonly system: SystemDatabase;
  readonly checkEndpointUrl: CheckEndpointUrl;
}

export function createProviderRegistryHandlers({
  system,
  checkEndpointUrl,
}: ProviderRegistryDeps): Handlers<typeof providerRegistryRoutes> {
  const acrossTenants = createAcrossTenants(system);
  return {
    listProviderRegistry: read(listProviderRegistry),
    createProviderRegistryEntry: acrossTenants(
      createProviderRegistryEntry.bind(null, checkEndpointUrl),
      ({ body }) => body,
    ),
    getProviderRegistryEntry: read(getProviderRegistryEntry, ({ params }) => params.id),
    updateProviderRegistryEntry: acrossTenants(updateProviderRegistryEntry, ({ params, body }) => ({
      id: params.id,
      body,
    })),
    deleteProviderRegistryEntry: acrossTenants(deleteProviderRegistryEntry, ({ params }) => params.id),
    getProviderRegistryStats: read(getProviderRegistryStats),
  };
}
