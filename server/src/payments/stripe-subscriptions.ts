import type Stripe from 'stripe';
import type {
  ProviderPlan,
  ProviderSubscription,
  SubscriptionDraft,
  SubscriptionProvider,
} from './payment-provider.ts';
import { idOf, nullWhenMissing, refuseAsStripe } from './stripe-cards.ts';

/** Maximum number of unpaid invoices to read. A subscription never has as many, since Stripe stops it long before. */
const invoicesMax = 100;
const expand = ['customer'];

/** Charges subscriptions to the customer's default payment method. */
export function createStripeSubscriptions(stripe: Stripe): SubscriptionProvider {
  const read = async (subscription: Stripe.Subscription) => toSubscription(stripe, subscription);
  return {
    createSubscription: async (draft) => read(await create(stripe, draft)),
    async readSubscription(id) {
      const subscription = await stripe.subscriptions.retrieve(id, { expand }).catch(nullWhenMissing);
      return subscription && read(subscription);
    },
    async changeSubscriptionPlan(id, plan) {
      const { items } = await stripe.subscriptions.retrieve(id);
      const item = items.data[0];
      if (!item) throw new Error(`the subscription ${id} has no item`);
      const price = await findPrice(stripe, plan);
      const subscription = await stripe.subscriptions
        .update(id, { items: [{ id: item.id, price }], cancel_at_period_end: false, expand })
        .catch(refuseAsStripe);
      return read(subscription);
    },
    async cancelSubscription(id) {
      const { status } = await stripe.subscriptions.retrieve(id);
      const subscription =
        status === 'trialing' || status === 'active'
          ? stripe.subscriptions.update(id, { cancel_at_period_end: true, expand })
          : stripe.subscriptions.cancel(id, { expand });
      return read(await subscription.catch(refuseAsStripe));
    },
    async payUnpaid(id) {
      for (const invoice of await listUnpaid(stripe, id)) {
        await stripe.invoices.pay(invoice.id, { off_session: true }).catch(refuseAsStripe);
      }
      return read(await stripe.subscriptions.retrieve(id, { expand }));
    },
  };
}

async function create(
  stripe: Stripe,
  { customerId, plan, trialEndsAt, idempotencyKey }: SubscriptionDraft,
): Promise<Stripe.Subscription> {
  const price = await findPrice(stripe, plan);
  return stripe.subscriptions
    .create(
      {
        customer: customerId,
        items: [{ price }],
        payment_behavior: 'error_if_incomplete',
        ...(trialEndsAt && {
          trial_end: Math.floor(trialEndsAt.getTime() / 1_000),
          // A trial without a card ends with an unpaid invoice, like a failed renewal.
          trial_settings: { end_behavior: { missing_payment_method: 'create_invoice' } },
        }),
        expand,
      },
      { idempotencyKey },
    )
    .catch(refuseAsStripe);
}

const keyPattern = /^sluice-(.+)-\d+$/;

/** Returns the price of a plan at Stripe. Creates the price on first use, so that operators need no setup. */
async function findPrice(stripe: Stripe, { id, name, monthlyCents }: ProviderPlan): Promise<string> {
  const key = `sluice-${id}-${monthlyCents}`;
  const { data } = await stripe.prices.list({ lookup_keys: [key], active: true, limit: 1 });
  const price =
    data[0] ??
    (await stripe.prices.create(
      {
        currency: 'usd',
        unit_amount: monthlyCents,
        recurring: { interval: 'month' },
        lookup_key: key,
        product_data: { name: `Sluice ${name}` },
      },
      { idempotencyKey: key },
    ));
  return price.id;
}

/** Returns the oldest invoices first. */
async function listUnpaid(stripe: Stripe, subscription: string): Promise<Stripe.Invoice[]> {
  const { data } = await stripe.invoices.list({ subscription, status: 'open', limit: invoicesMax });
  return data.reverse();
}

async function toSubscription(
  stripe: Stripe,
  subscription: Stripe.Subscription,
): Promise<ProviderSubscription> {
  const { id, customer, items, trial_end, cancel_at, ended_at } = subscription;
  const status = toStatus(subscription.status);
  const [unpaid] = status === 'past_due' ? await listUnpaid(stripe, id) : [];
  const [item] = items.data;
  const hasPaymentMethod =
    typeof customer === 'object' &&
    !customer.deleted &&
    customer.invoice_settings.default_payment_method !== null;
  return {
    id,
    customerId: idOf(customer) ?? '',
    planId: item?.price.lookup_key?.match(keyPattern)?.[1] ?? null,
    status,
    hasPaymentMethod,
    trialEndsAt: toDate(trial_end),
    periodEndsAt: toDate(item?.current_period_end),
    endsAt: toDate(ended_at ?? cancel_at),
    unpaidSince: toDate(unpaid?.created),
    failure: unpaid ? await findFailure(stripe, unpaid.id) : null,
  };
}

function toStatus(status: Stripe.Subscription.Status): ProviderSubscription['status'] {
  if (status === 'trialing') return 'trialing';
  if (status === 'active') return 'active';
  return status === 'canceled' || status === 'incomplete_expired' ? 'canceled' : 'past_due';
}

function toDate(seconds: number | null | undefined): Date | null {
  return typeof seconds === 'number' ? new Date(seconds * 1_000) : null;
}

async function findFailure(stripe: Stripe, invoice: string): Promise<string | null> {
  const { data } = await stripe.invoicePayments.list({ invoice, expand: ['data.payment.payment_intent'] });
  for (const { payment } of data) {
    const intent = payment.payment_intent;
    if (typeof intent === 'object' && intent.last_payment_error?.message)
      return intent.last_payment_error.message;
  }
  return null;
}
