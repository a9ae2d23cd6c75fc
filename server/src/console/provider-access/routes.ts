import type { providerAccessRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { grantUserAccess } from './grant.ts';

export function createProviderAccessHandlers(): Handlers<typeof providerAccessRoutes> {
  return { grantUserAccess: (ctx, { body }) => grantUserAccess(ctx, body) };
}
