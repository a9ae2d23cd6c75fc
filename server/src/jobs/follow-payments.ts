import { applyIntent } from '#payments/apply-intent.ts';
import { applySubscription } from '#payments/apply-subscription.ts';
import { findDueSubscriptions } from '#payments/find-due-subscriptions.ts';
import { findLostPayments } from '#payments/find-lost-payments.ts';
import type { PaymentProvider } from '#payments/payment-provider.ts';
import { processDueEvents } from '#payments/process-event.ts';
import type { Job } from './job.ts';

/**
 * Retries events that failed or whose node died. Then reads payments and subscriptions without an event from the
 * provider.
 */
export function createFollowPayments(provider: PaymentProvider): Job {
  return {
    name: 'follow-payments',
    pattern: '*/30 * * * * *',
    async runInSteps({ database, log, signal }) {
      await processDueEvents(database, provider, signal);
      for (const intentId of await findLostPayments(database, provider.name)) {
        if (signal.aborted) return;
        await applyIntent(database, provider, intentId).catch((error) =>
          log.warn({ error, intentId }, 'a payment could not be checked at the provider; it will be retried'),
        );
      }
      for (const tenantId of await findDueSubscriptions(database, provider.name)) {
        if (signal.aborted) return;
        await applySubscription(database, provider, tenantId).catch((error) =>
          log.warn(
            { error, tenantId },
            'a subscription could not be checked at the provider; it will be retried',
          ),
        );
      }
    },
  };
}
