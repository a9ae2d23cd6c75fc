import type { StripeBilling } from './stripe-billing.ts';
import {
  find,
  invalid,
  list,
  newId,
  nowSeconds,
  type Reply,
  StripeError,
  toCard,
  toPrice,
} from './stripe-resources.ts';

/** Call of Stripe's API with the parameters used here. `answer` receives the id from the path. */
interface BillingRoute {
  readonly method: string;
  readonly path: RegExp;
  readonly parameters: RegExp;
  readonly answer: (id: string, form: URLSearchParams) => object;
}

/** Returns `null` for calls other than billing. */
export function createBillingAnswer(billing: StripeBilling) {
  const routes = [customerRoutes, cardRoutes, priceRoutes, subscriptionRoutes, invoiceRoutes].flatMap(
    (list) => list(billing),
  );
  const answered = new Map<string, { request: string; reply: Reply }>();
  return (method: string, pathname: string, form: URLSearchParams, key: string | undefined): Reply | null => {
    const route = routes.find((each) => each.method === method && each.path.test(pathname));
    if (!route) return null;
    const unknown = [...form.keys()].find((name) => !route.parameters.test(name));
    if (unknown) return invalid(`Received unknown parameter: ${unknown}`, 'parameter_unknown').reply;
    const request = `${pathname}?${form}`;
    const earlier = key === undefined ? undefined : answered.get(key);
    if (earlier && earlier.request !== request) return keyUsedOtherwise.reply;
    if (earlier) return earlier.reply;
    const reply = toReply(() => route.answer(pathname.match(route.path)?.[1] ?? '', form));
    if (key !== undefined && method === 'POST') answered.set(key, { request, reply });
    return reply;
  };
}

const keyUsedOtherwise = new StripeError(400, {
  type: 'idempotency_error',
  message: 'Keys for idempotent requests can only be used with the same parameters',
});

function toReply(work: () => object): Reply {
  try {
    return { status: 200, body: work() };
  } catch (error) {
    if (error instanceof StripeError) return error.reply;
    throw error;
  }
}

const customerRoutes = (billing: StripeBilling): BillingRoute[] => [
  {
    method: 'POST',
    path: /^\/v1\/customers$/,
    parameters: /^(email|name)$/,
    answer: (_id, form) => {
      const customer = { id: newId('cus'), email: form.get('email') ?? '', defaultPaymentMethod: null };
      billing.customers.set(customer.id, customer);
      return billing.toCustomer(customer.id);
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/customers\/(\w+)$/,
    parameters: /^$/,
    answer: (id) => billing.toCustomer(id),
  },
  {
    method: 'POST',
    path: /^\/v1\/customers\/(\w+)$/,
    parameters: /^invoice_settings\[default_payment_method\]$/,
    answer: (id, form) => {
      const method = form.get('invoice_settings[default_payment_method]') ?? '';
      if (billing.cards.get(method)?.customer !== id) throw invalid('The customer does not have this card.');
      find(billing.customers, id).defaultPaymentMethod = method;
      return billing.toCustomer(id);
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/customers\/(\w+)\/payment_methods$/,
    parameters: /^(type|limit)$/,
    answer: (id) =>
      list(
        [...billing.cards.values()]
          .filter(({ customer }) => customer === id)
          .reverse()
          .map(toCard),
      ),
  },
];

const cardRoutes = (billing: StripeBilling): BillingRoute[] => [
  {
    method: 'POST',
    path: /^\/v1\/setup_intents$/,
    parameters: /^(usage|customer|allowed_payment_method_types\[\d+\])$/,
    answer: (_id, form) => {
      const intent = {
        id: newId('seti'),
        customer: form.get('customer'),
        status: 'requires_payment_method',
      };
      billing.setupIntents.set(intent.id, { ...intent, paymentMethod: null, failure: null });
      return billing.toSetupIntent(intent.id);
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/setup_intents\/(\w+)$/,
    parameters: /^$/,
    answer: (id) => billing.toSetupIntent(id),
  },
  {
    method: 'POST',
    path: /^\/v1\/payment_methods\/(\w+)\/attach$/,
    parameters: /^customer$/,
    answer: (id, form) => toCard(billing.attach(id, form.get('customer') ?? '')),
  },
  {
    method: 'POST',
    path: /^\/v1\/payment_methods\/(\w+)\/detach$/,
    parameters: /^$/,
    answer: (id) => {
      const card = find(billing.cards, id);
      for (const customer of billing.customers.values())
        if (customer.defaultPaymentMethod === id) customer.defaultPaymentMethod = null;
      billing.cards.delete(id);
      return toCard({ ...card, customer: null });
    },
  },
];

const priceRoutes = (billing: StripeBilling): BillingRoute[] => [
  {
    method: 'GET',
    path: /^\/v1\/prices$/,
    parameters: /^(lookup_keys\[\d+\]|active|limit)$/,
    answer: (_id, form) =>
      list(
        [...billing.prices.values()]
          .filter(({ lookupKey }) => lookupKey === form.get('lookup_keys[0]'))
          .map(toPrice),
      ),
  },
  {
    method: 'POST',
    path: /^\/v1\/prices$/,
    parameters: /^(currency|unit_amount|recurring\[interval\]|lookup_key|product_data\[name\])$/,
    answer: (_id, form) => {
      const price = {
        id: newId('price'),
        lookupKey: form.get('lookup_key') ?? '',
        unitAmount: Number(form.get('unit_amount')),
      };
      if (form.get('currency') !== 'usd' || form.get('recurring[interval]') !== 'month')
        throw invalid('Invalid price');
      billing.prices.set(price.id, price);
      return toPrice(price);
    },
  },
];

const subscriptionRoutes = (billing: StripeBilling): BillingRoute[] => [
  {
    method: 'POST',
    path: /^\/v1\/subscriptions$/,
    parameters:
      /^(customer|items\[0\]\[price\]|payment_behavior|trial_end|trial_settings\[end_behavior\]\[missing_payment_method\]|expand\[\d+\])$/,
    answer: (_id, form) => billing.toSubscription(billing.subscribe(form)),
  },
  {
    method: 'GET',
    path: /^\/v1\/subscriptions\/(\w+)$/,
    parameters: /^expand\[\d+\]$/,
    answer: (id) => billing.toSubscription(id),
  },
  {
    method: 'POST',
    path: /^\/v1\/subscriptions\/(\w+)$/,
    parameters: /^(items\[0\]\[(id|price)\]|cancel_at_period_end|expand\[\d+\])$/,
    answer: (id, form) => {
      const subscription = find(billing.subscriptions, id);
      if (subscription.status === 'canceled')
        throw invalid('A canceled subscription can only update its details.');
      const price = form.get('items[0][price]');
      if (price !== null) subscription.price = find(billing.prices, price).id;
      subscription.cancelAt = form.get('cancel_at_period_end') === 'true' ? subscription.periodEnd : null;
      return billing.toSubscription(id);
    },
  },
  {
    method: 'DELETE',
    path: /^\/v1\/subscriptions\/(\w+)$/,
    parameters: /^expand\[\d+\]$/,
    answer: (id) => {
      Object.assign(find(billing.subscriptions, id), { status: 'canceled', endedAt: nowSeconds() });
      return billing.toSubscription(id);
    },
  },
];

const invoiceRoutes = (billing: StripeBilling): BillingRoute[] => [
  {
    method: 'GET',
    path: /^\/v1\/invoices$/,
    parameters: /^(subscription|status|limit)$/,
    answer: (_id, form) =>
      list(
        find(billing.subscriptions, form.get('subscription') ?? '')
          .invoices.filter(({ status }) => status === form.get('status'))
          .toReversed()
          .map(({ id, created, status }) => ({ id, object: 'invoice', created, status })),
      ),
  },
  {
    method: 'POST',
    path: /^\/v1\/invoices\/(\w+)\/pay$/,
    parameters: /^off_session$/,
    answer: (id) => billing.pay(id),
  },
  {
    method: 'GET',
    path: /^\/v1\/invoice_payments$/,
    parameters: /^(invoice|expand\[\d+\])$/,
    answer: (_id, form) => {
      const { invoice } = billing.findInvoice(form.get('invoice') ?? '');
      const last_payment_error = invoice.failure === null ? null : { message: invoice.failure };
      const payment_intent = { id: newId('pi'), object: 'payment_intent', last_payment_error };
      return list([{ id: newId('inpay'), payment: { type: 'payment_intent', payment_intent } }]);
    },
  },
];
