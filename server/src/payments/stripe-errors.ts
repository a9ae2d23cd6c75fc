import Stripe from 'stripe';
import { PaymentRefusedError, unknownPaymentMethod } from './payment-provider.ts';

export function nullWhenMissing(error: unknown): null {
  if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing')
    return null;
  throw error;
}

/**
 * Throws a `PaymentRefusedError` for a declined card or a request that Stripe rejects, with a message for the payer.
 */
export function refuseAsStripe(error: unknown): never {
  if (
    error instanceof Stripe.errors.StripeInvalidRequestError ||
    error instanceof Stripe.errors.StripeCardError
  )
    throw new PaymentRefusedError(error.message, { cause: error });
  throw error;
}

/** Does the same when attaching a card, where Stripe's message would reveal that it belongs to another customer. */
export function refuseUnknownCard(error: unknown): never {
  if (error instanceof Stripe.errors.StripeInvalidRequestError)
    throw new PaymentRefusedError(unknownPaymentMethod, { cause: error });
  return refuseAsStripe(error);
}
