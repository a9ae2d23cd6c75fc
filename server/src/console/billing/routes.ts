import type { billingRoutes } from '@sluice/contract';
import type { SystemDatabase } from '#db/system.ts';
import type { Handlers } from '#http/console-route.ts';
import { listBilledTenants } from './list-tenants.ts';

export function createBillingHandlers({
  system,
}: {
  readonly system: SystemDatabase;
}): Handlers<typeof billingRoutes> {
  return { listBilledTenants: () => listBilledTenants(system) };
}
