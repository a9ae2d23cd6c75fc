import {
  type Card,
  type Customer,
  cardError,
  declines,
  find,
  invalid,
  list,
  monthSeconds,
  newId,
  nowSeconds,
  type Price,
  type SetupIntent,
  type Subscription,
  toPrice,
} from './stripe-resources.ts';

/**
 * Stripe's customers, cards, prices, subscriptions and invoices, limited to the parameters that Sluice uses. Other
 * parameters are rejected.
 */
export class StripeBilling {
  readonly customers = new Map<string, Customer>();
  readonly cards = new Map<string, Card>();
  readonly setupIntents = new Map<string, SetupIntent>();
  readonly prices = new Map<string, Price>();
  readonly subscriptions = new Map<string, Subscription>();

  confirmSetup(id: string, cardName: string): string {
    const intent = find(this.setupIntents, id);
    const failure = declines[cardName] ?? null;
    const card = { id: newId('pm'), name: cardName, customer: intent.customer };
    if (failure === null) this.cards.set(card.id, card);
    Object.assign(intent, {
      failure,
      status: failure === null ? 'succeeded' : 'requires_payment_method',
      paymentMethod: failure === null ? card.id : null,
    });
    return card.id;
  }

  /** Simulates the end of the trial or month: charges the default card at this time. */
  renew(id: string, atSeconds = nowSeconds()): void {
    const subscription = find(this.subscriptions, id);
    if (subscription.status === 'canceled') return;
    if (subscription.cancelAt !== null) {
      Object.assign(subscription, { status: 'canceled', endedAt: subscription.cancelAt });
      return;
    }
    const failure = this.findChargeProblem(subscription.customer);
    const status = failure === null ? 'paid' : 'open';
    subscription.invoices.push({ id: newId('in'), created: atSeconds, status, failure });
    subscription.periodEnd = atSeconds + monthSeconds;
    subscription.status = subscription.invoices.some((invoice) => invoice.status === 'open')
      ? 'past_due'
      : 'active';
  }

  private findChargeProblem(customerId: string): string | null {
    const card = this.cards.get(find(this.customers, customerId).defaultPaymentMethod ?? '');
    return card ? (declines[card.name] ?? null) : 'There is no default payment method.';
  }

  /** Attaches a card. Each use of a test name creates a new card. A card that is declined cannot be saved. */
  attach(idOrName: string, customer: string): Card {
    const card = this.cards.get(idOrName) ?? { id: newId('pm'), name: idOrName, customer: null };
    if (!this.cards.has(idOrName) && !idOrName.startsWith('pm_card_'))
      throw invalid(`No such PaymentMethod: '${idOrName}'`, 'resource_missing');
    if (card.customer !== null && card.customer !== customer)
      throw invalid('The payment method you provided has already been attached to a customer.');
    const failure = card.name === 'pm_card_chargeCustomerFail' ? undefined : declines[card.name];
    if (failure) throw cardError(failure);
    card.customer = find(this.customers, customer).id;
    this.cards.set(card.id, card);
    return card;
  }

  subscribe(form: URLSearchParams): string {
    const trialEnd = form.get('trial_end') === null ? null : Number(form.get('trial_end'));
    const customer = find(this.customers, form.get('customer') ?? '').id;
    const problem = trialEnd === null ? this.findChargeProblem(customer) : null;
    if (problem !== null) throw cardError(problem);
    if (trialEnd !== null && trialEnd <= nowSeconds()) throw invalid('trial_end must be in the future');
    const subscription: Subscription = {
      id: newId('sub'),
      customer,
      price: find(this.prices, form.get('items[0][price]') ?? '').id,
      status: trialEnd === null ? 'active' : 'trialing',
      trialEnd,
      periodEnd: trialEnd ?? nowSeconds() + monthSeconds,
      cancelAt: null,
      endedAt: null,
      invoices: [],
    };
    this.subscriptions.set(subscription.id, subscription);
    return subscription.id;
  }

  findInvoice(id: string) {
    for (const subscription of this.subscriptions.values())
      for (const invoice of subscription.invoices) if (invoice.id === id) return { subscription, invoice };
    throw invalid(`No such invoice: '${id}'`, 'resource_missing');
  }

  pay(id: string): object {
    const { subscription, invoice } = this.findInvoice(id);
    const problem = this.findChargeProblem(subscription.customer);
    invoice.failure = problem;
    if (problem !== null) throw cardError(problem);
    invoice.status = 'paid';
    if (subscription.status === 'past_due' && subscription.invoices.every(({ status }) => status === 'paid'))
      subscription.status = 'active';
    return { id, object: 'invoice', status: 'paid' };
  }

  toCustomer(id: string): object {
    const { email, defaultPaymentMethod } = find(this.customers, id);
    return {
      id,
      object: 'customer',
      email,
      invoice_settings: { default_payment_method: defaultPaymentMethod },
    };
  }

  toSetupIntent(id: string): object {
    const { status, customer, paymentMethod, failure } = find(this.setupIntents, id);
    return {
      id,
      object: 'setup_intent',
      client_secret: `${id}_secret_test`,
      status,
      customer,
      payment_method: paymentMethod,
      last_setup_error: failure === null ? null : { message: failure },
    };
  }

  toSubscription(id: string): object {
    const { customer, price, status, trialEnd, periodEnd, cancelAt, endedAt } = find(this.subscriptions, id);
    return {
      id,
      object: 'subscription',
      customer: this.toCustomer(customer),
      status,
      trial_end: trialEnd,
      cancel_at: cancelAt,
      ended_at: endedAt,
      items: list([
        { id: `si_${id}`, price: toPrice(find(this.prices, price)), current_period_end: periodEnd },
      ]),
    };
  }
}
