import type { llmProvidersRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { type CreateLlmProviderDeps, createLlmProvider } from './create.ts';
import { deleteLlmProvider } from './delete.ts';
import { getLlmProviderDeletionImpact } from './deletion-impact.ts';
import type { DiscoverModelsDeps } from './discover-models.ts';
import { drillFallbacks } from './drill-fallbacks.ts';
import { endMaintenance } from './end-maintenance.ts';
import { listLlmProviders } from './list.ts';
import { listLlmProviderHealth } from './list-health.ts';
import { listOfferedModels } from './list-offered-models.ts';
import { listServiceManagedModels } from './list-service-managed-models.ts';
import { endKeyOverlap, rotateLlmProviderKey } from './rotate-key.ts';
import { setFallbackOrder } from './set-fallback-order.ts';
import { startMaintenance } from './start-maintenance.ts';
import { testLlmProvider } from './test-connection.ts';
import { testSavedLlmProvider } from './test-saved.ts';
import { updateLlmProvider } from './update.ts';

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
