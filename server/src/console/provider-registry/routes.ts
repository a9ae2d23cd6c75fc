import type { providerRegistryRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { listProviderRegistry } from './list.ts';

export function createProviderRegistryHandlers(): Handlers<typeof providerRegistryRoutes> {
  return { listProviderRegistry: (ctx) => listProviderRegistry(ctx) };
}
