import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { type StripeStandIn, startStripeStandIn } from '#test/providers/stripe-stand-in.ts';
import { type PaymentProvider, unknownPaymentMethod } from './payment-provider.ts';
import { createSimulatedProvider } from './simulated-provider.ts';
import { createStripeProvider } from './stripe-provider.ts';

let database: TestDatabase;
let system: SystemDatabase;
let stripe: StripeStandIn;

beforeAll(async () => {
  database = await createTestDatabase();
  system = createSystemDatabase(database.pool);
  stripe = await startStripeStandIn();
});
afterAll(async () => {
  await stripe.close();
  await database.close();
});

interface Bench {
  create(): PaymentProvider;
  /** Confirms a card setup like a payer's browser. Returns the id of the card. */
  confirmSetup(intent: { id: string; clientSecret: string }, card: string): Promise<string | null>;
  endPeriod(subscriptionId: string): Promise<void>;
}

const benches: Record<string, Bench> = {
  simulated: {
    create: () => createSimulatedProvider(system),
    confirmSetup: async ({ clientSecret }, card) =>
      (await createSimulatedProvider(system).confirmSetup(clientSecret, card))?.payment_method ?? null,
    async endPeriod(id) {
      await database.pool.query(
        `UPDATE simulated_subscriptions SET period_ends_at = now(), trial_ends_at = LEAST(trial_ends_at, now())
         WHERE id = $1`,
        [id],
      );
    },
  },
  stripe: {
    create: () =>
      createStripeProvider({
        secretKey: 'sk_test_of_the_tests',
        publishableKey: 'pk_1',
        webhookSecret: 'whsec_1',
        apiBase: stripe.origin,
      }),
    confirmSetup: async ({ id }, card) => stripe.billing.confirmSetup(id, card),
    endPeriod: async (id) => stripe.billing.renew(id),
  },
};

let count = 0;
const newKey = () => `key-${++count}`;
const plan = { id: 'basic', name: 'Basic', monthlyCents: 2_900 };
const inTwoWeeks = () => new Date(Math.floor(Date.now() / 1_000) * 1_000 + 14 * 86_400_000);

describe.each(Object.entries(benches))('%s', (_name, bench) => {
  const addCustomer = (provider: PaymentProvider) =>
    provider.createCustomer({ email: 'ada@acme.test', name: 'Acme', idempotencyKey: newKey() });
  const subscribe = async (provider: PaymentProvider, card: string | null, trialEndsAt: Date | null) => {
    const customerId = await addCustomer(provider);
    if (card) await provider.attachPaymentMethod(customerId, card);
    const subscription = await provider.createSubscription({
      customerId,
      plan,
      trialEndsAt,
      idempotencyKey: newKey(),
    });
    return { customerId, subscription };
  };

  it('createCustomer creates one customer per idempotency key', async () => {
    const provider = bench.create();
    const draft = { email: 'ada@acme.test', name: 'Acme', idempotencyKey: newKey() };
    const id = await provider.createCustomer(draft);
    expect(await provider.createCustomer(draft)).toBe(id);
    expect(await addCustomer(provider)).not.toBe(id);
  });

  it('createSetupIntent sets up a card to attach later, and the first card is the default', async () => {
    const provider = bench.create();
    const intent = await provider.createSetupIntent({ idempotencyKey: newKey() });
    expect(await provider.readSetupIntent(intent.id)).toEqual({
      id: intent.id,
      status: 'pending',
      paymentMethodId: null,
      customerId: null,
    });
    await bench.confirmSetup(intent, 'pm_card_visa_chargeDeclined');
    expect(await provider.readSetupIntent(intent.id)).toMatchObject({ status: 'failed' });
    const paymentMethodId = await bench.confirmSetup(intent, 'pm_card_visa');
    expect(await provider.readSetupIntent(intent.id)).toMatchObject({ status: 'succeeded', paymentMethodId });
    const customerId = await addCustomer(provider);
    const first = await provider.attachPaymentMethod(customerId, paymentMethodId ?? '');
    expect(first).toMatchObject({ id: paymentMethodId, brand: 'visa', last4: '4242', isDefault: true });
    const second = await provider.attachPaymentMethod(customerId, 'pm_card_mastercard');
    expect(second).toMatchObject({ brand: 'mastercard', last4: '4444', isDefault: false });
    await provider.setDefaultPaymentMethod(customerId, second.id);
    const list = () => provider.listPaymentMethods(customerId);
    expect((await list()).map(({ id, isDefault }) => [id, isDefault])).toEqual([
      [second.id, true],
      [first.id, false],
    ]);
    await provider.detachPaymentMethod(second.id);
    expect((await list()).map(({ id }) => id)).toEqual([first.id]);
    expect(await provider.readSetupIntent('seti_nothing')).toBeNull();
  });

  it('createSetupIntent attaches the card if there is a customer', async () => {
    const provider = bench.create();
    const customerId = await addCustomer(provider);
    const intent = await provider.createSetupIntent({ customerId, idempotencyKey: newKey() });
    const id = await bench.confirmSetup(intent, 'pm_card_visa');
    expect((await provider.listPaymentMethods(customerId)).map((method) => method.id)).toEqual([id]);
  });

  it.each([
    ['pm_card_visa_chargeDeclined', 'Your card was declined.'],
    ['pm_card_visa_chargeDeclinedInsufficientFunds', 'Your card has insufficient funds.'],
    ['pm_nothing', unknownPaymentMethod],
  ])(
    'attachPaymentMethod rejects %s with a message for the payer, and stores nothing',
    async (card, reason) => {
      const provider = bench.create();
      const customerId = await addCustomer(provider);
      await expect(provider.attachPaymentMethod(customerId, card)).rejects.toMatchObject({
        name: 'PaymentRefusedError',
        message: expect.stringContaining(reason),
      });
      expect(await provider.listPaymentMethods(customerId)).toEqual([]);
    },
  );

  it('attachPaymentMethod rejects the card of another customer', async () => {
    const provider = bench.create();
    const { id } = await provider.attachPaymentMethod(await addCustomer(provider), 'pm_card_visa');
    await expect(provider.attachPaymentMethod(await addCustomer(provider), id)).rejects.toMatchObject({
      name: 'PaymentRefusedError',
      message: unknownPaymentMethod,
    });
  });

  it('a subscription charges nothing during the trial, and the price when it ends', async () => {
    const provider = bench.create();
    const trialEndsAt = inTwoWeeks();
    const { customerId, subscription } = await subscribe(provider, 'pm_card_visa', trialEndsAt);
    expect(subscription).toEqual({
      id: subscription.id,
      customerId,
      planId: 'basic',
      status: 'trialing',
      hasPaymentMethod: true,
      trialEndsAt,
      periodEndsAt: trialEndsAt,
      endsAt: null,
      unpaidSince: null,
      failure: null,
    });
    await bench.endPeriod(subscription.id);
    const renewed = await provider.readSubscription(subscription.id);
    expect(renewed).toMatchObject({ status: 'active', unpaidSince: null });
    expect(renewed?.periodEndsAt?.getTime()).toBeGreaterThan(Date.now() + 27 * 86_400_000);
    expect(await provider.readSubscription('sub_nothing')).toBeNull();
  });

  it.each([null, 'pm_card_chargeCustomerFail'])(
    'a subscription is unpaid when the trial ends with the card %s, until it is paid',
    async (card) => {
      const provider = bench.create();
      const { customerId, subscription } = await subscribe(provider, card, inTwoWeeks());
      await bench.endPeriod(subscription.id);
      const unpaid = await provider.readSubscription(subscription.id);
      expect(unpaid).toMatchObject({
        status: 'past_due',
        hasPaymentMethod: card !== null,
        unpaidSince: expect.any(Date),
        failure: expect.any(String),
      });
      await expect(provider.payUnpaid(subscription.id)).rejects.toMatchObject({
        name: 'PaymentRefusedError',
      });
      const { id } = await provider.attachPaymentMethod(customerId, 'pm_card_visa');
      await provider.setDefaultPaymentMethod(customerId, id);
      expect(await provider.payUnpaid(subscription.id)).toMatchObject({
        status: 'active',
        unpaidSince: null,
        failure: null,
      });
    },
  );

  it('createSubscription without a trial charges the first month immediately, or starts nothing', async () => {
    const provider = bench.create();
    expect((await subscribe(provider, 'pm_card_visa', null)).subscription.status).toBe('active');
    await expect(subscribe(provider, 'pm_card_chargeCustomerFail', null)).rejects.toMatchObject({
      name: 'PaymentRefusedError',
      message: 'Your card was declined.',
    });
  });

  it('changeSubscriptionPlan changes the plan and reverts a cancellation', async () => {
    const provider = bench.create();
    const { subscription } = await subscribe(provider, 'pm_card_visa', inTwoWeeks());
    const { endsAt, status } = await provider.cancelSubscription(subscription.id);
    expect({ endsAt, status }).toEqual({ endsAt: subscription.trialEndsAt, status: 'trialing' });
    const pro = { id: 'pro', name: 'Pro', monthlyCents: 9_900 };
    expect(await provider.changeSubscriptionPlan(subscription.id, pro)).toMatchObject({
      planId: 'pro',
      endsAt: null,
    });
  });

  it('cancelSubscription ends a paid subscription with its period and an unpaid one immediately', async () => {
    const provider = bench.create();
    const paid = await subscribe(provider, 'pm_card_visa', null);
    await provider.cancelSubscription(paid.subscription.id);
    await bench.endPeriod(paid.subscription.id);
    expect(await provider.readSubscription(paid.subscription.id)).toMatchObject({ status: 'canceled' });
    const owing = await subscribe(provider, null, inTwoWeeks());
    await bench.endPeriod(owing.subscription.id);
    expect(await provider.cancelSubscription(owing.subscription.id)).toMatchObject({
      status: 'canceled',
      endsAt: expect.any(Date),
    });
  });
});

it('createSubscription creates the price of a plan once', async () => {
  const provider = benches.stripe?.create();
  const customerId = await provider?.createCustomer({
    email: 'a@b.test',
    name: 'A',
    idempotencyKey: newKey(),
  });
  for (let each = 0; each < 3; each++)
    await provider?.createSubscription({
      customerId: customerId ?? '',
      plan: { id: 'gold', name: 'Gold', monthlyCents: 100 },
      trialEndsAt: inTwoWeeks(),
      idempotencyKey: newKey(),
    });
  const prices = [...stripe.billing.prices.values()].filter(
    ({ lookupKey }) => lookupKey === 'sluice-gold-100',
  );
  expect(prices).toMatchObject([{ unitAmount: 100 }]);
});
