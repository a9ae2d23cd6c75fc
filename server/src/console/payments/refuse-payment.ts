import { ConsoleError } from '#errors/console-error.ts';
import { PaymentRefusedError } from '#payments/payment-provider.ts';

/** Rethrows the payment provider's rejection with its message for the payer. */
export function refusePayment(error: unknown): never {
  throw error instanceof PaymentRefusedError ? new ConsoleError(402, error.message) : error;
}
