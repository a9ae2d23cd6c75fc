import { ConsoleError } from '#errors/console-error.ts';
import { applySubscription } from '#payments/apply-subscription.ts';
import type { SubscriptionDeps, TenantChange } from './change-plan.ts';

/**
 * Takes what is not paid from the default card; paying again takes nothing, so it needs no Idempotency-Key.
 * @throws ConsoleError 409 where no subscription runs
 * @throws PaymentRefusedError when the card is declined
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
