import { ConsoleError } from '#errors/console-error.ts';
import { PaymentRefusedError } from '#payments/payment-provider.ts';

/** Passes on why the provider refused, in its words for the payer. */
export function refusePayment(error: unknown): never {
  throw error instanceof PaymentRefusedError ? new ConsoleError(402, error.message) : error;
}
