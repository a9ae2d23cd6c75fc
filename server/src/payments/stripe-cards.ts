import Stripe from 'stripe';
import {
  type CardProvider,
  PaymentRefusedError,
  type ProviderPaymentMethod,
  type ProviderSetupIntent,
  unknownPaymentMethod,
} from './payment-provider.ts';

const cardsMax = 100;

export function createStripeCards(stripe: Stripe): CardProvider {
  return {
    async createCustomer({ email, name, idempotencyKey }) {
      const { id } = await stripe.customers.create({ email, name }, { idempotencyKey }).catch(refuseAsStripe);
      return id;
    },
    async createSetupIntent({ customerId, idempotencyKey }) {
      const { id, client_secret } = await stripe.setupIntents.create(
        {
          usage: 'off_session',
          allowed_payment_method_types: ['card'],
          ...(customerId === undefined ? {} : { customer: customerId }),
        },
        { idempotencyKey },
      );
      return { id, clientSecret: client_secret ?? '' };
    },
    async readSetupIntent(id) {
      const intent = await stripe.setupIntents.retrieve(id).catch(nullWhenMissing);
      return intent && toSetupIntent(intent);
    },
    async attachPaymentMethod(customerId, paymentMethodId, idempotencyKey) {
      const method = await stripe.paymentMethods
        .attach(
          paymentMethodId,
          { customer: customerId },
          idempotencyKey === undefined ? {} : { idempotencyKey },
        )
        .catch(refuseUnknownCard);
      const defaultId = await findDefault(stripe, customerId);
      if (defaultId === null) await setDefault(stripe, customerId, method.id);
      return toPaymentMethod(method, defaultId ?? method.id);
    },
    async listPaymentMethods(customerId) {
      const [methods, defaultId] = await Promise.all([
        stripe.customers.listPaymentMethods(customerId, { type: 'card', limit: cardsMax }),
        findDefault(stripe, customerId),
      ]);
      return methods.data.map((method) => toPaymentMethod(method, defaultId));
    },
    async detachPaymentMethod(paymentMethodId) {
      await stripe.paymentMethods.detach(paymentMethodId).catch(refuseAsStripe);
    },
    setDefaultPaymentMethod: (customerId, paymentMethodId) => setDefault(stripe, customerId, paymentMethodId),
  };
}

async function setDefault(stripe: Stripe, customerId: string, paymentMethodId: string): Promise<void> {
  await stripe.customers
    .update(customerId, { invoice_settings: { default_payment_method: paymentMethodId } })
    .catch(refuseAsStripe);
}

async function findDefault(stripe: Stripe, customerId: string): Promise<string | null> {
  const customer = await stripe.customers.retrieve(customerId);
  return customer.deleted ? null : idOf(customer.invoice_settings.default_payment_method);
}

export function idOf(reference: string | { readonly id: string } | null | undefined): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
}

function toPaymentMethod(
  { id, card }: Stripe.PaymentMethod,
  defaultId: string | null,
): ProviderPaymentMethod {
  return {
    id,
    brand: card?.brand ?? 'card',
    last4: card?.last4 ?? '',
    expMonth: card?.exp_month ?? 0,
    expYear: card?.exp_year ?? 0,
    isDefault: id === defaultId,
  };
}

function toSetupIntent(intent: Stripe.SetupIntent): ProviderSetupIntent {
  return {
    id: intent.id,
    status: toStatus(intent),
    paymentMethodId: idOf(intent.payment_method),
    customerId: idOf(intent.customer),
  };
}

function toStatus({ status, last_setup_error }: Stripe.SetupIntent): ProviderSetupIntent['status'] {
  if (status === 'succeeded') return 'succeeded';
  if (status === 'canceled') return 'canceled';
  return status === 'requires_payment_method' && last_setup_error !== null ? 'failed' : 'pending';
}

export function nullWhenMissing(error: unknown): null {
  if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing')
    return null;
  throw error;
}

/** Throws a `PaymentRefusedError` with a message for the payer if a card is declined or Stripe rejects a request. */
export function refuseAsStripe(error: unknown): never {
  if (
    error instanceof Stripe.errors.StripeInvalidRequestError ||
    error instanceof Stripe.errors.StripeCardError
  )
    throw new PaymentRefusedError(error.message, { cause: error });
  throw error;
}

/**
 * Throws like `refuseAsStripe`, but hides Stripe's message about attaching a card, which would reveal that the card
 * belongs to another customer.
 */
function refuseUnknownCard(error: unknown): never {
  if (error instanceof Stripe.errors.StripeInvalidRequestError)
    throw new PaymentRefusedError(unknownPaymentMethod, { cause: error });
  return refuseAsStripe(error);
}
