import Stripe from 'stripe';
import {
  type PaymentProvider,
  type ProviderEvent,
  type ProviderIntent,
  SignatureRefusedError,
} from './payment-provider.ts';
import { createStripeCards, nullWhenMissing, refuseAsStripe } from './stripe-cards.ts';
import { createStripeSubscriptions } from './stripe-subscriptions.ts';

export interface StripeSettings {
  readonly secretKey: string;
  readonly publishableKey: string;
  /** Webhook secret, or several secrets separated by commas during a rotation. */
  readonly webhookSecret: string;
  /** Base URL of Stripe's API; `null` means Stripe's default. */
  readonly apiBase: string | null;
}

const timeoutMs = 10_000;
/** Maximum number of refunds read per payment, and of disputes. */
const returnsMax = 1_000;
/** Maximum age of a signature (Stripe, "Check the webhook signatures"). */
const toleranceSeconds = 300;

export function createStripeProvider(settings: StripeSettings): PaymentProvider {
  const stripe = new Stripe(settings.secretKey, {
    ...addressOf(settings.apiBase),
    timeout: timeoutMs,
    maxNetworkRetries: 1,
    telemetry: false,
  });
  const secrets = settings.webhookSecret.split(',').map((secret) => secret.trim());
  return {
    ...createStripeCards(stripe),
    ...createStripeSubscriptions(stripe),
    name: 'stripe',
    publishableKey: settings.publishableKey,
    async createIntent({ amountCents, description, idempotencyKey }) {
      const intent = await stripe.paymentIntents
        .create(
          { amount: amountCents, currency: 'usd', description, allowed_payment_method_types: ['card'] },
          { idempotencyKey },
        )
        .catch(refuseAsStripe);
      return toProviderIntent(intent, [], []);
    },
    async readIntent(intentId) {
      const intent = await stripe.paymentIntents.retrieve(intentId).catch(nullWhenMissing);
      if (!intent) return null;
      if (intent.status !== 'succeeded') return toProviderIntent(intent, [], []);
      const ofIntent = { payment_intent: intentId, limit: 100 };
      const all = { limit: returnsMax };
      const [refunds, disputes] = await Promise.all([
        stripe.refunds.list(ofIntent).autoPagingToArray(all),
        stripe.disputes.list(ofIntent).autoPagingToArray(all),
      ]);
      return toProviderIntent(intent, refunds, disputes);
    },
    readEvent: (body, signature) => readEvent(stripe, secrets, body, signature),
  };
}

function addressOf(apiBase: string | null) {
  if (apiBase === null) return {};
  const { hostname, port, protocol } = new URL(apiBase);
  const name = protocol === 'http:' ? ('http' as const) : ('https' as const);
  return { host: hostname, port: port || (name === 'http' ? 80 : 443), protocol: name };
}

function toProviderIntent(
  intent: Stripe.PaymentIntent,
  refunds: readonly Stripe.Refund[],
  disputes: readonly Stripe.Dispute[],
): ProviderIntent {
  const failure = intent.last_payment_error?.message ?? null;
  return {
    id: intent.id,
    clientSecret: intent.client_secret ?? '',
    status: toStatus(intent.status, failure),
    amountCents: intent.status === 'succeeded' ? intent.amount_received : intent.amount,
    failure,
    refunds: refunds.filter(isUsd).map(({ id, amount, status }) => ({
      id,
      takenCents: status === 'failed' || status === 'canceled' ? 0 : amount,
    })),
    disputes: disputes.filter(isUsd).map(({ id, amount, status }) => ({
      id,
      takenCents: takesNoMoney(status) ? 0 : amount,
    })),
    foreignCurrencies: [...refunds, ...disputes]
      .filter((returned) => !isUsd(returned))
      .map(({ object, id, currency }) => `${object} ${id} in ${currency.toUpperCase()}`),
  };
}

const isUsd = ({ currency }: { readonly currency: string }) => currency === 'usd';

/** Returns whether a dispute deducts no money: inquiries (`warning_`), prevented and won disputes. */
function takesNoMoney(status: Stripe.Dispute.Status): boolean {
  return status.startsWith('warning_') || status === 'prevented' || status === 'won';
}

function toStatus(status: Stripe.PaymentIntent.Status, failure: string | null): ProviderIntent['status'] {
  if (status === 'succeeded') return 'succeeded';
  if (status === 'canceled') return 'canceled';
  return status === 'requires_payment_method' && failure !== null ? 'failed' : 'pending';
}

function readEvent(
  stripe: Stripe,
  secrets: readonly string[],
  body: Buffer,
  signature: string,
): ProviderEvent {
  for (const secret of secrets) {
    const event = verify(stripe, secret, body, signature);
    if (event)
      return {
        id: event.id,
        type: event.type,
        intentId: findIntentId(event.data.object),
        customerId: isOfCustomer(event.type) ? findCustomerId(event.data.object) : null,
        payload: event,
      };
  }
  throw new SignatureRefusedError('no secret matches the signature');
}

function verify(stripe: Stripe, secret: string, body: Buffer, signature: string): Stripe.Event | null {
  try {
    const event = stripe.webhooks.constructEvent(body, signature, secret, toleranceSeconds);
    // Events of connected accounts are unrelated to Sluice's payments.
    return isEvent(event) && event.account === undefined ? event : null;
  } catch {
    return null;
  }
}

/** A signed event is still external input. */
function isEvent(event: Partial<Stripe.Event>): boolean {
  const { id, type, data } = event;
  return typeof id === 'string' && typeof type === 'string' && typeof data?.object === 'object';
}

/** Returns the payment id from an event about a payment, charge, refund or dispute; `null` for other events. */
function findIntentId(object: unknown): string | null {
  if (typeof object !== 'object' || object === null) return null;
  const isIntent = Reflect.get(object, 'object') === 'payment_intent';
  return readId(Reflect.get(object, isIntent ? 'id' : 'payment_intent'));
}

function isOfCustomer(type: string): boolean {
  return /^(customer|invoice|setup_intent|payment_method)\./.test(type);
}

function findCustomerId(object: unknown): string | null {
  if (typeof object !== 'object' || object === null) return null;
  const isCustomer = Reflect.get(object, 'object') === 'customer';
  return readId(Reflect.get(object, isCustomer ? 'id' : 'customer'));
}

function readId(reference: unknown): string | null {
  const id: unknown =
    typeof reference === 'object' && reference !== null ? Reflect.get(reference, 'id') : reference;
  return typeof id === 'string' ? id : null;
}
