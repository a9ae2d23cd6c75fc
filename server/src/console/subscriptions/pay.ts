import { ConsoleError } from '#errors/console-error.ts';
import { applySubscription } from '#payments/apply-subscription.ts';
import type { SubscriptionDeps, TenantChange } from './change-plan.ts';

/**
 * Charges the unpaid amount to the default card. Idempotent, so it needs no Idempotency-Key.
 * @throws ConsoleError 409 without a running subscription.
 * @throws PaymentRefusedError if the card is declined.
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
