import type { llmProvidersRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
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
    listLlmProviders: (ctx) => listLlmProviders(ctx),
    listLlmProviderHealth: (ctx) => listLlmProviderHealth(ctx),
    listOfferedModels: (ctx, { query }) => listOfferedModels(ctx, query.scope),
    createLlmProvider: (ctx, { body }) => createLlmProvider(deps, ctx, body),
    testLlmProvider: (ctx, { body }) => testLlmProvider(deps, ctx, body),
    testSavedLlmProvider: (ctx, { params }) => testSavedLlmProvider(deps, ctx, params.id),
    listServiceManagedModels: (ctx, { params }) => listServiceManagedModels(deps, ctx, params.id),
    updateLlmProvider: (ctx, { params, body }) => updateLlmProvider(deps, ctx, params.id, body),
    startMaintenance: (ctx, { params, body }) => startMaintenance(ctx, params.id, body),
    endMaintenance: (ctx, { params }) => endMaintenance(ctx, params.id),
    setFallbackOrder: (ctx, { body }) => setFallbackOrder(ctx, body),
    rotateLlmProviderKey: (ctx, { params, body }) => rotateLlmProviderKey(deps, ctx, params.id, body),
    endKeyOverlap: (ctx, { params }) => endKeyOverlap(ctx, params.id),
    drillFallbacks: (ctx, { params }) => drillFallbacks(deps, ctx, params.id),
    getLlmProviderDeletionImpact: (ctx, { params }) => getLlmProviderDeletionImpact(ctx, params.id),
    deleteLlmProvider: (ctx, { params }) => deleteLlmProvider(ctx, params.id),
  };
}
