import type { WebhookRetry } from '@sluice/contract';
import type { SystemDatabase } from '#db/system.ts';
import { ConsoleError } from '#errors/console-error.ts';
import type { SignedBody } from '#http/console-route.ts';
import {
  type PaymentProvider,
  type ProviderEvent,
  SignatureRefusedError,
} from '#payments/payment-provider.ts';
import { findFailedEvents, processEvent, recordEvent } from '#payments/process-event.ts';

/** A job retries failures, so the provider does not need to resend a stored event. */
export async function receiveEvent(
  system: SystemDatabase,
  provider: PaymentProvider,
  body: SignedBody,
): Promise<{ received: true }> {
  const id = await recordEvent(system, readEvent(provider, body));
  if (id !== undefined) await processEvent(system, provider, id);
  return { received: true };
}

function readEvent(provider: PaymentProvider, { bytes, signature }: SignedBody): ProviderEvent {
  try {
    return provider.readEvent(bytes, signature);
  } catch (error) {
    if (error instanceof SignatureRefusedError)
      throw new ConsoleError(400, 'The signature is invalid or too old');
    throw error;
  }
}

/** Processes failed events again, one after another, oldest first. */
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
