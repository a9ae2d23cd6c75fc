import type { billingRoutes } from '@sluice/contract';
import { createAcrossTenants } from '#console/across-tenants.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { Handlers } from '#http/console-route.ts';
import { outside } from '#http/verbs.ts';
import { getBillingMetrics } from './get-metrics.ts';
import { getPlan, listPlans } from './list-plans.ts';
import { exportBilledTenants, listBilledTenants } from './list-tenants.ts';

export function createBillingHandlers({
  system,
}: {
  readonly system: SystemDatabase;
}): Handlers<typeof billingRoutes> {
  const acrossTenants = createAcrossTenants(system);
  return {
    listPlans: outside('needs no transaction', () => listPlans(system)),
    getPlan: outside('needs no transaction', (_ctx, { params }) => getPlan(system, params.id)),
    listBilledTenants: acrossTenants(listBilledTenants),
    getBillingMetrics: acrossTenants(getBillingMetrics),
    exportBilledTenants: outside('streams a file', (ctx) => exportBilledTenants(system, ctx)),
  };
}
