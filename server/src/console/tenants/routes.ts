import type { tenantsRoutes } from '@sluice/contract';
import type { SystemDatabase } from '#db/system.ts';
import type { Handlers } from '#http/console-route.ts';
import { getMyTenant } from './get-mine.ts';
import { listTenants } from './list.ts';

export function createTenantsHandlers({
  system,
}: {
  readonly system: SystemDatabase;
}): Handlers<typeof tenantsRoutes> {
  return {
    getMyTenant: (ctx) => getMyTenant(ctx),
    listTenants: (ctx, { query }) => listTenants(system, ctx, query),
  };
}
