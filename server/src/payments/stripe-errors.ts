import Stripe from 'stripe';
import { PaymentRefusedError, unknownPaymentMethod } from './payment-provider.ts';

export function nullWhenMissing(error: unknown): null {
  if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing')
    return null;
  throw error;
}

/** A declined card, or a request that Stripe does not take; both have words for the payer. */
export function refuseAsStripe(error: unknown): never {
  if (
    error instanceof Stripe.errors.StripeInvalidRequestError ||
    error instanceof Stripe.errors.StripeCardError
  )
    throw new PaymentRefusedError(error.message, { cause: error });
  throw error;
}

/** The same for attaching a card, where Stripe's words would tell that it is somebody else's. */
export function refuseUnknownCard(error: unknown): never {
  if (error instanceof Stripe.errors.StripeInvalidRequestError)
    throw new PaymentRefusedError(unknownPaymentMethod, { cause: error });
  return refuseAsStripe(error);
}
