import { ConsoleError, notFound } from '#errors/console-error.ts';
import { applySubscription } from '#payments/apply-subscription.ts';
import type { SubscriptionDeps, TenantChange } from './change-plan.ts';
import { findTenantSubscription } from './store.ts';

/**
 * Cancels at the end of the paid period or the trial.
 * @throws ConsoleError 409 without a running subscription.
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
