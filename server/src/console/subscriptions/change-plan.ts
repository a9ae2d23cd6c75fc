import { and, eq, gt, ne, sql } from 'drizzle-orm';
import type { Actor } from '#db/actor.ts';
import { lockTenantPlan } from '#db/lock-tenant-plan.ts';
import { tenants } from '#db/schema/tenants.ts';
import { changeAs, type SystemDatabase } from '#db/system.ts';
import { ConsoleError, notFound } from '#errors/console-error.ts';
import { applySubscription, toProviderPlan } from '#payments/apply-subscription.ts';
import { requireCustomer } from '#payments/find-customer.ts';
import { type PaymentProvider, PaymentRefusedError } from '#payments/payment-provider.ts';
import { startSubscription, trialDays } from '#payments/start-subscription.ts';
import { countPeople, findPlan, findTenantSubscription, type Plan } from './store.ts';

/** Must exceed the duration of all provider calls of a plan change, including retries. */
const pendingMinutes = 10;

async function holdPlan(tx: SystemDatabase, tenantId: number, plan: Plan): Promise<void> {
  await lockTenantPlan(tx, tenantId);
  const isPending = and(gt(tenants.pendingPlanUntil, sql`now()`), ne(tenants.pendingPlanId, plan.id));
  const [other] = await tx
    .select({ id: tenants.id })
    .from(tenants)
    .where(and(eq(tenants.id, tenantId), isPending));
  if (other)
    throw new ConsoleError(409, 'Another change of the plan is in progress. Try again in a few minutes.', 60);
  await requireRoom(tx, tenantId, plan);
  await tx
    .update(tenants)
    .set({ pendingPlanId: plan.id, pendingPlanUntil: sql`now() + ${pendingMinutes} * interval '1 minute'` })
    .where(eq(tenants.id, tenantId));
}

async function releasePlan(tx: SystemDatabase, tenantId: number, plan: Plan): Promise<void> {
  await tx
    .update(tenants)
    .set({ pendingPlanId: null, pendingPlanUntil: null })
    .where(and(eq(tenants.id, tenantId), eq(tenants.pendingPlanId, plan.id)));
}

async function requireRoom(
  tx: SystemDatabase,
  tenantId: number,
  { name, userLimit, adminLimit }: Plan,
): Promise<void> {
  const { users, admins } = await countPeople(tx, tenantId);
  if (users <= userLimit && admins <= adminLimit) return;
  const spare = [
    users > userLimit && formatPeople(users - userLimit, 'user'),
    admins > adminLimit && formatPeople(admins - adminLimit, 'administrator'),
  ].filter((text) => text !== false);
  throw new ConsoleError(
    409,
    `The ${name} plan allows ${formatPeople(userLimit, 'user')} and ${formatPeople(adminLimit, 'administrator')}; ` +
      `${formatPeople(users, 'user')} and ${formatPeople(admins, 'administrator')} are active here. ` +
      `Deactivate ${spare.join(' and ')} first.`,
  );
}

function formatPeople(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

export interface SubscriptionDeps {
  readonly system: SystemDatabase;
  readonly provider: PaymentProvider;
}

interface TenantChange {
  readonly tenantId: number;
  readonly actor: Actor;
}

/**
 * Changes a tenant's plan and reverts a cancellation. The first subscription starts with a trial. Later subscriptions
 * are charged immediately.
 * @throws ConsoleError 404 if the tenant or plan does not exist, 409 if active users exceed the plan, or another
 * change is pending
 * @throws PaymentRefusedError if the first month cannot be charged
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
    // Only release the limits if the card was declined: after other failures, the provider may have changed the plan.
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
  // Start the subscription at the provider in case a failed node did not.
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

/**
 * Cancels the subscription at the end of the paid period or trial.
 * @throws ConsoleError 404 if the tenant does not exist, 409 if there is no running subscription
 */
export async function cancelSubscription(
  { system, provider }: SubscriptionDeps,
  { tenantId, actor }: TenantChange,
): Promise<void> {
  if (!(await findTenantSubscription(system, tenantId))) throw notFound('Tenant');
  const current = await applySubscription(system, provider, tenantId, actor);
  if (!current?.subscriptionId || current.status === 'canceled')
    throw new ConsoleError(409, 'There is no subscription to cancel');
  await provider.cancelSubscription(current.subscriptionId);
  await applySubscription(system, provider, tenantId, actor);
}

/**
 * Charges the unpaid amount to the default card. Idempotent, so no Idempotency-Key is needed.
 * @throws ConsoleError 409 if there is no running subscription
 * @throws PaymentRefusedError if the card is declined
 */
export async function paySubscription(
  { system, provider }: SubscriptionDeps,
  { tenantId, actor }: TenantChange,
): Promise<void> {
  const current = await applySubscription(system, provider, tenantId, actor);
  if (!current?.subscriptionId || current.status === 'canceled')
    throw new ConsoleError(409, 'There is no subscription to pay. Choose a plan first.');
  if (current.status !== 'past_due') return;
  try {
    await provider.payUnpaid(current.subscriptionId);
  } finally {
    await applySubscription(system, provider, tenantId, actor);
  }
}
