import type { Subscription, subscriptionsRoutes } from '@sluice/contract';
import { createAcrossTenants } from '#console/across-tenants.ts';
import { refusePayment, requireProvider } from '#console/payments/require-provider.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { Handlers, SignedInContext } from '#http/console-route.ts';
import { outside } from '#http/verbs.ts';
import type { PaymentProvider } from '#payments/payment-provider.ts';
import { cancelSubscription, changePlan, paySubscription, type SubscriptionDeps } from './change-plan.ts';
import { getSubscription } from './get.ts';

export function createSubscriptionsHandlers({
  system,
  provider,
}: {
  readonly system: SystemDatabase;
  readonly provider: PaymentProvider | null;
}): Handlers<typeof subscriptionsRoutes> {
  const change = async (
    tenantId: number,
    work: (deps: SubscriptionDeps) => Promise<void>,
  ): Promise<Subscription> => {
    await work({ system, provider: requireProvider(provider) }).catch(refusePayment);
    return getSubscription(system, tenantId);
  };
  const own = ({ principal, actor }: SignedInContext) => ({ tenantId: principal.tenantId, actor });
  return {
    getSubscription: createAcrossTenants(system)((tx, { tenantId }) => getSubscription(tx, tenantId)),
    changeSubscription: outside('asks a provider', (ctx, { body }) =>
      change(ctx.principal.tenantId, (deps) => changePlan(deps, own(ctx), body.plan_id)),
    ),
    cancelSubscription: outside('asks a provider', (ctx) =>
      change(ctx.principal.tenantId, (deps) => cancelSubscription(deps, own(ctx))),
    ),
    paySubscription: outside('asks a provider', (ctx) =>
      change(ctx.principal.tenantId, (deps) => paySubscription(deps, own(ctx))),
    ),
    cancelTenantSubscription: outside('asks a provider', ({ actor }, { params }) =>
      change(params.id, (deps) => cancelSubscription(deps, { tenantId: params.id, actor })),
    ),
    changeTenantSubscription: outside('asks a provider', ({ actor }, { params, body }) =>
      change(params.id, (deps) => changePlan(deps, { tenantId: params.id, actor }, body.plan_id)),
    ),
  };
}
