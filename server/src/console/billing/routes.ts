import type { billingRoutes } from '@sluice/contract';
import type { SystemDatabase } from '#db/system.ts';
import type { Handlers } from '#http/console-route.ts';
import { getBillingMetrics } from './get-metrics.ts';
import { getPlan, listPlans } from './list-plans.ts';
import { exportBilledTenants, listBilledTenants } from './list-tenants.ts';

export function createBillingHandlers({
  system,
}: {
  readonly system: SystemDatabase;
}): Handlers<typeof billingRoutes> {
  return {
    listPlans: () => listPlans(system),
    getPlan: (_ctx, { params }) => getPlan(system, params.id),
    listBilledTenants: () => listBilledTenants(system),
    getBillingMetrics: () => getBillingMetrics(system),
    exportBilledTenants: (ctx) => exportBilledTenants(system, ctx),
  };
}
