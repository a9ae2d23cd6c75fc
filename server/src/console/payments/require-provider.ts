import { ConsoleError } from '#errors/console-error.ts';
import { PaymentRefusedError } from '#payments/payment-provider.ts';

/** @throws ConsoleError 503 if the installation accepts no cards */
export function requireProvider<Provider>(provider: Provider | null): Provider {
  if (!provider)
    throw new ConsoleError(
      503,
      'Payments are not set up on this installation. Ask the operator to configure a payment provider.',
    );
  return provider;
}

/** The error contains the provider's message for the payer. */
export function refusePayment(error: unknown): never {
  throw error instanceof PaymentRefusedError ? new ConsoleError(402, error.message) : error;
}
