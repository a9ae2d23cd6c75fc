import { providerAccessRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { unbuilt } from '../unbuilt.ts';
import { grantUserAccess } from './grant.ts';

export function createProviderAccessHandlers(): Handlers<typeof providerAccessRoutes> {
  return { ...unbuilt(providerAccessRoutes), grantUserAccess: (ctx, { body }) => grantUserAccess(ctx, body) };
}
