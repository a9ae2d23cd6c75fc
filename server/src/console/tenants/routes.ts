import type { tenantsRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { getMyTenant } from './get-mine.ts';

export function createTenantsHandlers(): Handlers<typeof tenantsRoutes> {
  return { getMyTenant: (ctx) => getMyTenant(ctx) };
}
