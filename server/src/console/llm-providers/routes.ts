import type { llmProvidersRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { outside, read, write } from '#http/verbs.ts';
import { endMaintenance, setFallbackOrder, startMaintenance } from './change-provider.ts';
import { type CreateLlmProviderDeps, createLlmProvider, updateLlmProvider } from './configure.ts';
import { deleteLlmProvider, getLlmProviderDeletionImpact } from './delete.ts';
import type { DiscoverModelsDeps } from './discover-models.ts';
import { drillFallbacks } from './fallback-drill.ts';
import { listLlmProviders } from './list.ts';
import { listLlmProviderHealth } from './list-health.ts';
import { listOfferedModels, listServiceManagedModels } from './list-models.ts';
import { endKeyOverlap, rotateLlmProviderKey } from './rotate-key.ts';
import { testLlmProvider, testSavedLlmProvider } from './test-connection.ts';

export function createLlmProvidersHandlers(
  deps: CreateLlmProviderDeps & DiscoverModelsDeps,
): Handlers<typeof llmProvidersRoutes> {
  return {
    listLlmProviders: read(listLlmProviders),
    listLlmProviderHealth: read(listLlmProviderHealth),
    listOfferedModels: read(listOfferedModels, ({ query }) => query.scope),
    createLlmProvider: write(createLlmProvider.bind(null, deps), ({ body }) => body),
    testLlmProvider: outside('asks a provider', (ctx, { body }) => testLlmProvider(deps, ctx, body)),
    testSavedLlmProvider: outside('asks a provider', (ctx, { params }) =>
      testSavedLlmProvider(deps, ctx, params.id),
    ),
    listServiceManagedModels: outside('asks a provider', (ctx, { params }) =>
      listServiceManagedModels(deps, ctx, params.id),
    ),
    updateLlmProvider: write(updateLlmProvider.bind(null, deps), ({ params, body }) => ({
      id: params.id,
      body,
    })),
    startMaintenance: write(startMaintenance, ({ params, body }) => ({ id: params.id, body })),
    endMaintenance: write(endMaintenance, ({ params }) => params.id),
    setFallbackOrder: write(setFallbackOrder, ({ body }) => body),
    rotateLlmProviderKey: write(rotateLlmProviderKey.bind(null, deps), ({ params, body }) => ({
      id: params.id,
      body,
    })),
    endKeyOverlap: write(endKeyOverlap, ({ params }) => params.id),
    drillFallbacks: read(drillFallbacks.bind(null, deps), ({ params }) => params.id),
    getLlmProviderDeletionImpact: read(getLlmProviderDeletionImpact, ({ params }) => params.id),
    deleteLlmProvider: write(deleteLlmProvider, ({ params }) => params.id),
  };
}
