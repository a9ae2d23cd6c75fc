import type { llmProvidersRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { type CreateLlmProviderDeps, createLlmProvider } from './create.ts';
import { listLlmProviders } from './list.ts';
import { updateLlmProvider } from './update.ts';

export function createLlmProvidersHandlers(deps: CreateLlmProviderDeps): Handlers<typeof llmProvidersRoutes> {
  return {
    listLlmProviders: (ctx) => listLlmProviders(ctx),
    createLlmProvider: (ctx, { body }) => createLlmProvider(deps, ctx, body),
    updateLlmProvider: (ctx, { params, body }) => updateLlmProvider(deps, ctx, params.id, body),
  };
}
