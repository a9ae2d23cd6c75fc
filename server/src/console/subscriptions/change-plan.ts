import type { Actor } from '#db/actor.ts';
import { lockTenantPlan } from '#db/lock-tenant-plan.ts';
import { changeAs, type SystemDatabase } from '#db/system.ts';
import { notFound } from '#errors/console-error.ts';
import { applySubscription } from '#payments/apply-subscription.ts';
import { requireCustomer } from '#payments/find-customer.ts';
import { type PaymentProvider, PaymentRefusedError } from '#payments/payment-provider.ts';
import { toProviderPlan } from '#payments/provider-plan.ts';
import { startSubscription, trialDays } from '#payments/start-subscription.ts';
import { holdPlan, releasePlan } from './pending-plan.ts';
import { findPlan, findTenantSubscription, type Plan } from './store.ts';

/** Dependencies of subscription changes. */
export interface SubscriptionDeps {
  readonly system: SystemDatabase;
  readonly provider: PaymentProvider;
}

export interface TenantChange {
  readonly tenantId: number;
  readonly actor: Actor;
}

/**
 * Changes a tenant's plan. The first subscription has a trial, later ones are paid at once; undoes a cancellation.
 * @throws ConsoleError 409 if active users exceed the plan, or another change is pending.
 * @throws PaymentRefusedError if the first month cannot be charged.
 */
export async function changePlan(
  deps: SubscriptionDeps,
  { tenantId, actor }: TenantChange,
  planId: string,
): Promise<void> {
  const { system } = deps;
  const row = await findTenantSubscription(system, tenantId);
  if (!row) throw notFound('Tenant');
  const plan = await findPlan(system, planId);
  if (!plan) throw notFound('Plan');
  await changeAs(system, actor, (tx) => holdPlan(tx, tenantId, plan));
  const release = () => changeAs(system, actor, (tx) => releasePlan(tx, tenantId, plan));
  try {
    await moveToPlan(deps, { tenantId, actor }, plan, row);
  } catch (error) {
    // After any other failure the provider may still have changed the plan.
    if (error instanceof PaymentRefusedError) await release();
    throw error;
  }
  await release();
}

type TenantSubscription = NonNullable<Awaited<ReturnType<typeof findTenantSubscription>>>;

async function moveToPlan(
  deps: SubscriptionDeps,
  { tenantId, actor }: TenantChange,
  plan: Plan,
  row: TenantSubscription,
): Promise<void> {
  const { system, provider } = deps;
  const known = row.subscription?.provider === provider.name ? row.subscription : null;
  // Starts a subscription that a dead node left unstarted at the provider.
  const current = known && (await applySubscription(system, provider, tenantId, actor));
  if (current?.subscriptionId && current.status !== 'canceled')
    await provider.changeSubscriptionPlan(current.subscriptionId, toProviderPlan(plan));
  else await begin(deps, { tenantId, actor }, plan);
  await applySubscription(system, provider, tenantId, actor);
}

async function begin(
  { system, provider }: SubscriptionDeps,
  { tenantId, actor }: TenantChange,
  plan: Plan,
): Promise<void> {
  const customerId = await requireCustomer(system, provider, { tenantId, actor });
  const start = { tenantId, planId: plan.id, provider: provider.name, customerId };
  await changeAs(system, actor, async (tx) => {
    await lockTenantPlan(tx, tenantId);
    const before = await findTenantSubscription(tx, tenantId);
    await startSubscription(tx, { ...start, trialDays: before?.subscription ? 0 : trialDays });
  });
}
