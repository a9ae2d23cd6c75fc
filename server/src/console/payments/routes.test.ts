import { paymentsRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { createFollowPayments } from '#jobs/follow-payments.ts';
import { runAlone } from '#jobs/run-alone.ts';
import { readAccounts } from '#ledger/read.ts';
import { findLostPayments } from '#payments/find-lost-payments.ts';
import { findPaymentProvider, type Payments } from '#payments/find-provider.ts';
import { systemClock } from '#platform/clock.ts';
import { createLogger } from '#platform/logger.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';
import { type StripeStandIn, startStripeStandIn } from '#test/providers/stripe-stand-in.ts';
import { createPaymentsHandlers } from './routes.ts';

let database: TestDatabase;
let system: SystemDatabase;
let stripe: StripeStandIn;
let payer: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
  system = createSystemDatabase(database.pool);
  stripe = await startStripeStandIn();
});
afterAll(async () => {
  await stripe.close();
  await database.close();
});

beforeEach(async () => {
  stripe.failWith(0);
  await emptyTables(database, 'tenants');
  payer = await addPerson(database.pool, await addTenant(database.pool, 'Acme'), 'admin', 'ada@acme.test');
});

const callAs = (principal: Principal, payments: Payments) =>
  createTestConsole(
    database.pool,
    paymentsRoutes,
    createPaymentsHandlers({ system, payments, isSignupOpen: false, clock: systemClock }),
  )({ principal });
const byStripe = () =>
  findPaymentProvider(system, {
    stripe: {
      secretKey: 'sk_test_of_the_tests',
      publishableKey: 'pk_1',
      webhookSecret: 'whsec_1',
      apiBase: stripe.origin,
    },
    isDemo: true,
  });
const simulated = () => findPaymentProvider(system, { stripe: null, isDemo: true });
const balance = async () => (await readAccounts(system, payer.tenantId))[0]?.balance;

describe('payments without keys or demo mode', () => {
  it('payment routes return 503 if payments are not set up', async () => {
    const calls = callAs(payer, findPaymentProvider(system, { stripe: null, isDemo: false }));
    expect(await calls.getPaymentSetup()).toEqual({ provider: null, publishable_key: null });
    const notSetUp = {
      status: 503,
      detail:
        'Payments are not set up on this installation. Ask the operator to configure a payment provider.',
    };
    await expect(calls.createPaymentIntent({ query: { amount: 5 } })).rejects.toMatchObject(notSetUp);
    await expect(calls.confirmPayment({ query: { payment_intent_id: 'pi_1' } })).rejects.toMatchObject(
      notSetUp,
    );
    await expect(
      calls.paySimulated({ body: { client_secret: 'x', payment_method: 'pm_card_visa' } }),
    ).rejects.toMatchObject(notSetUp);
  });

  it('paySimulated returns 503 with Stripe', async () => {
    await expect(
      callAs(payer, byStripe()).paySimulated({
        body: { client_secret: 'x', payment_method: 'pm_card_visa' },
      }),
    ).rejects.toMatchObject({ status: 503 });
  });
});

describe('the simulated payment provider', () => {
  it('confirmPayment books the payment of a valid card once', async () => {
    const calls = callAs(payer, simulated());
    const intent = await calls.createPaymentIntent({ query: { amount: 12.34 } });
    const confirm = () => calls.confirmPayment({ query: { payment_intent_id: intent.payment_intent_id } });
    await expect(confirm()).rejects.toMatchObject({ status: 402, detail: 'Payment was not successful' });
    expect(
      await calls.paySimulated({
        body: { client_secret: intent.client_secret, payment_method: '4242 4242 4242 4242' },
      }),
    ).toEqual({ status: 'succeeded', error: null });
    const answers = await Promise.all([confirm(), confirm(), confirm()]);
    for (const answer of answers) expect(answer).toEqual({ amount_added: 12.34, current_balance: 12.34 });
    expect(await balance()).toBe(12_340_000_000n);
  });

  it.each([
    ['pm_card_visa_chargeDeclined', 'Your card was declined.'],
    ['4000 0000 0000 9995', 'Your card has insufficient funds.'],
    ['4111 1111 1111 1111', 'This is not a test card'],
  ])('paySimulated declines %s with the reason, and then accepts another card', async (card, reason) => {
    const calls = callAs(payer, simulated());
    const { client_secret, payment_intent_id } = await calls.createPaymentIntent({ query: { amount: 1 } });
    const pay = (payment_method: string) => calls.paySimulated({ body: { client_secret, payment_method } });
    expect(await pay(card)).toEqual({
      status: 'requires_payment_method',
      error: expect.stringContaining(reason),
    });
    await expect(calls.confirmPayment({ query: { payment_intent_id } })).rejects.toMatchObject({
      status: 402,
      detail: expect.stringContaining(reason),
    });
    expect(await balance()).toBe(0n);
    expect(await pay('pm_card_visa')).toMatchObject({ status: 'succeeded' });
    expect((await calls.confirmPayment({ query: { payment_intent_id } })).amount_added).toBe(1);
  });

  it.each([
    [true, 'succeeded'],
    [false, 'requires_payment_method'],
  ])('paySimulated requires 3-D Secure; approved: %s', async (is_approved, status) => {
    const calls = callAs(payer, simulated());
    const { client_secret } = await calls.createPaymentIntent({ query: { amount: 1 } });
    const authenticate = () => calls.authenticateSimulated({ body: { client_secret, is_approved } });
    // The cardholder has not been asked to authenticate yet.
    expect(await authenticate()).toMatchObject({ status: 'requires_payment_method' });
    expect(
      await calls.paySimulated({ body: { client_secret, payment_method: 'pm_card_threeDSecure2Required' } }),
    ).toEqual({ status: 'requires_action', error: null });
    expect(await authenticate()).toMatchObject({ status });
  });
});

describe('payments by Stripe', () => {
  it('confirmPayment books the amount that Stripe received, without handling card data', async () => {
    const calls = callAs(payer, byStripe());
    expect(await calls.getPaymentSetup()).toEqual({ provider: 'stripe', publishable_key: 'pk_1' });
    const intent = await calls.createPaymentIntent({ query: { amount: 25.5, description: 'For March' } });
    expect(intent.client_secret).toBe(`${intent.payment_intent_id}_secret_test`);
    expect(stripe.intents.get(intent.payment_intent_id)).toMatchObject({ amount: 2_550 });
    stripe.decline(intent.payment_intent_id, 'Your card was declined.');
    const confirm = () => calls.confirmPayment({ query: { payment_intent_id: intent.payment_intent_id } });
    await expect(confirm()).rejects.toMatchObject({ status: 402, detail: 'Your card was declined.' });
    stripe.succeed(intent.payment_intent_id);
    expect(await confirm()).toEqual({ amount_added: 25.5, current_balance: 25.5 });
    const { rows } = await database.pool.query(
      'SELECT kind, description, payment_reference FROM ledger_entries',
    );
    expect(rows).toEqual([
      { kind: 'recharge', description: 'For March', payment_reference: intent.payment_intent_id },
    ]);
  });

  it('createPaymentIntent returns the reason why Stripe rejects the payment', async () => {
    await expect(
      callAs(payer, byStripe()).createPaymentIntent({ query: { amount: 0.01 } }),
    ).rejects.toMatchObject({
      status: 422,
      detail: 'Amount must be at least $0.50 usd',
    });
  });

  it('confirmPayment returns 404 for payments of another tenant and for unknown payments', async () => {
    const { payment_intent_id } = await callAs(payer, byStripe()).createPaymentIntent({
      query: { amount: 5 },
    });
    stripe.succeed(payment_intent_id);
    const other = await addPerson(
      database.pool,
      await addTenant(database.pool, 'Other'),
      'admin',
      'o@other.test',
    );
    for (const [who, id] of [
      [other, payment_intent_id],
      [payer, 'pi_of_somebody_else'],
    ] as const)
      await expect(
        callAs(who, byStripe()).confirmPayment({ query: { payment_intent_id: id } }),
      ).rejects.toMatchObject({ status: 404, detail: 'Payment not found' });
    expect(await balance()).toBe(0n);
  });
});

it.each([0, 0.001, -1, 0.005, 10_000.01, Number.NaN])(
  'createPaymentIntent rejects an amount of %s',
  async (amount) => {
    await expect(callAs(payer, simulated()).createPaymentIntent({ query: { amount } })).rejects.toThrow(
      '"amount"',
    );
  },
);

it('the payment job books a paid intent that was never confirmed', async () => {
  const payments = byStripe();
  const { payment_intent_id } = await callAs(payer, payments).createPaymentIntent({ query: { amount: 7 } });
  stripe.succeed(payment_intent_id);
  expect(await findLostPayments(system, 'stripe')).toEqual([]);
  await database.pool.query(`UPDATE payments SET checked_at = now() - interval '6 minutes'`);
  if (!payments.provider) throw new Error('there is no provider');
  const job = createFollowPayments(payments.provider);
  await runAlone(system, job, createLogger('silent'));
  expect(await balance()).toBe(7_000_000_000n);
  expect(await findLostPayments(system, 'stripe')).toEqual([]);
});

describe('createSetupIntent', () => {
  const strangers = (isSignupOpen: boolean, payments = simulated()) =>
    createTestConsole(
      database.pool,
      paymentsRoutes,
      createPaymentsHandlers({ system, payments, isSignupOpen, clock: systemClock }),
    );

  it('createSetupIntent is public while signup is open, and available to signed-in users', async () => {
    await expect(strangers(false)().createSetupIntent()).rejects.toMatchObject({
      status: 403,
      detail: 'Signup is closed',
    });
    for (const calls of [strangers(true)(), strangers(false)({ principal: payer })])
      expect(await calls.createSetupIntent()).toEqual({
        client_secret: expect.stringContaining('_secret_'),
        setup_intent_id: expect.stringMatching(/^seti_/),
      });
  });

  it('createSetupIntent is unavailable without a payment provider', async () => {
    const none = findPaymentProvider(system, { stripe: null, isDemo: false });
    await expect(strangers(true, none)().createSetupIntent()).rejects.toMatchObject({
      status: 503,
      detail:
        'Payments are not set up on this installation. Ask the operator to configure a payment provider.',
    });
  });

  it('createSetupIntent is throttled by IP', async () => {
    const calls = strangers(true)({ address: '198.51.100.7' });
    for (let count = 0; count < 100; count++) await calls.createSetupIntent();
    await expect(calls.createSetupIntent()).rejects.toMatchObject({ status: 429 });
    await strangers(true)({ address: '198.51.100.8' }).createSetupIntent();
  });

  it.each([
    [true, { status: 'succeeded', error: null, payment_method: expect.stringMatching(/^pm_/) }],
    [
      false,
      { status: 'requires_payment_method', error: 'The card was not authenticated.', payment_method: null },
    ],
  ])(
    'confirmSimulatedSetup requires 3-D Secure if the card does; approved: %s',
    async (is_approved, answer) => {
      const calls = strangers(true)();
      const { client_secret } = await calls.createSetupIntent();
      const confirm = { client_secret, payment_method: '4000 0025 0000 3155' };
      expect(await calls.confirmSimulatedSetup({ body: confirm })).toEqual({
        status: 'requires_action',
        error: null,
        payment_method: null,
      });
      expect(await calls.authenticateSimulatedSetup({ body: { client_secret, is_approved } })).toEqual(
        answer,
      );
    },
  );

  it('confirmSimulatedSetup reports why a card is declined, and accepts another one', async () => {
    const calls = strangers(true)();
    const { client_secret } = await calls.createSetupIntent();
    const confirm = (payment_method: string) =>
      calls.confirmSimulatedSetup({ body: { client_secret, payment_method } });
    expect(await confirm('4000 0000 0000 0002')).toEqual({
      status: 'requires_payment_method',
      error: 'Your card was declined.',
      payment_method: null,
    });
    expect(await confirm('4242 4242 4242 4242')).toMatchObject({ status: 'succeeded' });
    await expect(
      calls.confirmSimulatedSetup({ body: { client_secret: 'nothing', payment_method: 'pm_card_visa' } }),
    ).rejects.toMatchObject({ status: 404 });
  });
});
