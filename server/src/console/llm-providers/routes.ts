import type { llmProvidersRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { type CreateLlmProviderDeps, createLlmProvider } from './create.ts';
import { deleteLlmProvider } from './delete.ts';
import { getLlmProviderDeletionImpact } from './deletion-impact.ts';
import type { DiscoverModelsDeps } from './discover-models.ts';
import { listLlmProviders } from './list.ts';
import { type ListHealthDeps, listLlmProviderHealth } from './list-health.ts';
import { listOfferedModels } from './list-offered-models.ts';
import { listServiceManagedModels } from './list-service-managed-models.ts';
import { testLlmProvider } from './test-connection.ts';
import { updateLlmProvider } from './update.ts';

export function createLlmProvidersHandlers(
  deps: CreateLlmProviderDeps & DiscoverModelsDeps & ListHealthDeps,
): Handlers<typeof llmProvidersRoutes> {
  return {
    listLlmProviders: (ctx) => listLlmProviders(ctx),
    listLlmProviderHealth: (ctx) => listLlmProviderHealth(deps, ctx),
    listOfferedModels: (ctx, { query }) => listOfferedModels(ctx, query.scope),
    createLlmProvider: (ctx, { body }) => createLlmProvider(deps, ctx, body),
    testLlmProvider: (ctx, { body }) => testLlmProvider(deps, ctx, body),
    listServiceManagedModels: (ctx, { params }) => listServiceManagedModels(deps, ctx, params.id),
    updateLlmProvider: (ctx, { params, body }) => updateLlmProvider(deps, ctx, params.id, body),
    getLlmProviderDeletionImpact: (ctx, { params }) => getLlmProviderDeletionImpact(ctx, params.id),
    deleteLlmProvider: (ctx, { params }) => deleteLlmProvider(ctx, params.id),
  };
}
