import type { WebhookRetry } from '@sluice/contract';
import type { SystemDatabase } from '#db/system.ts';
import type { PaymentProvider } from '#payments/payment-provider.ts';
import { findFailedEvents, processEvent } from '#payments/process-event.ts';

/** Processes failed events again, sequentially, oldest first. */
export async function retryFailedEvents(
  system: SystemDatabase,
  provider: PaymentProvider,
  retriesMax: number,
): Promise<WebhookRetry> {
  const counts = { retried_count: 0, success_count: 0, still_failed_count: 0 };
  for (const id of await findFailedEvents(system, retriesMax)) {
    const hasSucceeded = await processEvent(system, provider, id);
    if (hasSucceeded === undefined) continue;
    counts.retried_count++;
    if (hasSucceeded) counts.success_count++;
    else counts.still_failed_count++;
  }
  return counts;
}
