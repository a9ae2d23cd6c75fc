import type { Actor } from '#db/actor.ts';
import { changeAs, type SystemDatabase } from '#db/system.ts';
import { ConsoleError, notFound } from '#errors/console-error.ts';
import { applySubscription } from '#payments/apply-subscription.ts';
import { requireCustomer } from '#payments/find-customer.ts';
import type { PaymentProvider } from '#payments/payment-provider.ts';
import { toProviderPlan } from '#payments/provider-plan.ts';
import { startSubscription, trialDays } from '#payments/start-subscription.ts';
import { countPeople, findPlan, findTenantSubscription, type Plan } from './store.ts';

/** What changes of subscriptions are made with. */
export interface SubscriptionDeps {
  readonly system: SystemDatabase;
  readonly provider: PaymentProvider;
}

export interface TenantChange {
  readonly tenantId: number;
  readonly actor: Actor;
}

/**
 * Puts a tenant on a plan. Where no subscription runs one begins: the first with a trial, every other one is paid at
 * once. A cancellation is taken back.
 * @throws ConsoleError 409 when more people are active than the plan allows
 * @throws PaymentRefusedError when the first month cannot be taken
 */
export async function changePlan(
  deps: SubscriptionDeps,
  { tenantId, actor }: TenantChange,
  planId: string,
): Promise<void> {
  const { system, provider } = deps;
  const row = await findTenantSubscription(system, tenantId);
  if (!row) throw notFound('Tenant');
  const plan = await findPlan(system, planId);
  if (!plan) throw notFound('Plan');
  await requireRoom(system, tenantId, plan);
  const known = row.subscription?.provider === provider.name ? row.subscription : null;
  // One that a dead node has not begun at the provider yet is begun first.
  const current = known && (await applySubscription(system, provider, tenantId, actor));
  if (current?.subscriptionId && current.status !== 'canceled')
    await provider.changeSubscriptionPlan(current.subscriptionId, toProviderPlan(plan));
  else await begin(deps, { tenantId, actor }, plan, { isFirst: row.subscription === null });
  await applySubscription(system, provider, tenantId, actor);
}

async function begin(
  { system, provider }: SubscriptionDeps,
  { tenantId, actor }: TenantChange,
  plan: Plan,
  { isFirst }: { isFirst: boolean },
): Promise<void> {
  const customerId = await requireCustomer(system, provider, { tenantId, actor });
  const start = { tenantId, planId: plan.id, provider: provider.name, customerId };
  await changeAs(system, actor, (tx) =>
    startSubscription(tx, { ...start, trialDays: isFirst ? trialDays : 0 }),
  );
}

async function requireRoom(
  system: SystemDatabase,
  tenantId: number,
  { name, userLimit, adminLimit }: Plan,
): Promise<void> {
  const { users, admins } = await countPeople(system, tenantId);
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
