import { paymentsRoutes, webhooksRoutes } from '@sluice/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { createFollowPayments } from '#jobs/follow-payments.ts';
import { runAlone } from '#jobs/run-alone.ts';
import { readAccounts } from '#ledger/read.ts';
import { findPaymentProvider } from '#payments/find-provider.ts';
import type { PaymentProvider } from '#payments/payment-provider.ts';
import { systemClock } from '#platform/clock.ts';
import { createLogger } from '#platform/logger.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';
import { isFullSize } from '#test/load/sample.ts';
import { type StripeStandIn, startStripeStandIn, webhookSecret } from '#test/providers/stripe-stand-in.ts';
import { createPaymentsHandlers } from '../payments/routes.ts';
import { receiveEvent } from './receive.ts';
import { createWebhooksHandlers } from './routes.ts';

let database: TestDatabase;
let system: SystemDatabase;
let stripe: StripeStandIn;
let provider: PaymentProvider;
let payer: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
  system = createSystemDatabase(database.pool);
  stripe = await startStripeStandIn();
  const settings = {
    secretKey: 'sk_test_of_the_tests',
    publishableKey: 'pk_1',
    // Both secrets are valid during a rotation.
    webhookSecret: `whsec_next, ${webhookSecret}`,
    apiBase: stripe.origin,
  };
  provider = createProvider(settings);
});
afterAll(async () => {
  await stripe.close();
  await database.close();
});

function createProvider(settings: NonNullable<Parameters<typeof findPaymentProvider>[1]['stripe']>) {
  const { provider } = findPaymentProvider(system, { stripe: settings, isDemo: false });
  if (!provider) throw new Error('Stripe is not set up');
  return provider;
}

beforeEach(async () => {
  stripe.failWith(0);
  await emptyTables(database, 'tenants', 'webhook_events');
  payer = await addPerson(
    database.pool,
    await addTenant(database.pool, 'Acme'),
    'super_admin',
    'ada@acme.test',
  );
});

async function beginPayment(amount: number): Promise<string> {
  const handlers = createPaymentsHandlers({
    system,
    payments: { provider, simulated: null },
    isSignupOpen: false,
    clock: systemClock,
  });
  const calls = createTestConsole(database.pool, paymentsRoutes, handlers)({ principal: payer });
  return (await calls.createPaymentIntent({ query: { amount } })).payment_intent_id;
}

const deliver = ({ body, signature }: { body: string; signature: string }) =>
  receiveEvent(system, provider, { bytes: Buffer.from(body), signature });
const aboutIntent = (type: string, id: string) => stripe.event(type, { object: 'payment_intent', id });
const monitor = () =>
  createTestConsole(
    database.pool,
    webhooksRoutes,
    createWebhooksHandlers({ system, provider }),
  )({
    principal: payer,
  });
const balance = async () => (await readAccounts(system, payer.tenantId))[0]?.balance;
const followPayments = () => runAlone(system, createFollowPayments(provider), createLogger('silent'));

describe('webhook events', () => {
  it('receiveStripeEvent books a payment once for 100 concurrent deliveries of its event', async () => {
    const id = await beginPayment(10);
    stripe.succeed(id);
    const event = aboutIntent('payment_intent.succeeded', id);
    await Promise.all(Array.from({ length: 100 }, () => deliver(event)));
    expect(await balance()).toBe(10_000_000_000n);
    expect(await monitor().getWebhookStats({ query: { days: 7 } })).toEqual({
      total_events: 1,
      successful_events: 1,
      failed_events: 0,
      success_rate: 100,
      event_types: { 'payment_intent.succeeded': 1 },
    });
  });

  it('receiveStripeEvent stores the event of an unknown payment without effect', async () => {
    await deliver(aboutIntent('payment_intent.succeeded', 'pi_of_another_product'));
    await deliver(stripe.event('customer.created', { object: 'customer', id: 'cus_1' }));
    const events = await monitor().listWebhookEvents({ query: { status: 'completed' } });
    expect(events.map(({ event_type }) => event_type)).toEqual([
      'customer.created',
      'payment_intent.succeeded',
    ]);
    expect(await balance()).toBe(0n);
  });

  it.each(['whsec_next', webhookSecret])('receiveStripeEvent accepts either secret: %s', async (secret) => {
    const id = await beginPayment(3);
    stripe.succeed(id);
    await deliver(stripe.event('payment_intent.succeeded', { object: 'payment_intent', id }, { secret }));
    expect(await balance()).toBe(3_000_000_000n);
  });

  it('a failed webhook event is retried by the job or manually, and then shows its effect', async () => {
    const id = await beginPayment(4);
    stripe.succeed(id);
    stripe.failWith(500);
    await deliver(aboutIntent('payment_intent.succeeded', id));
    const [failed] = await monitor().listWebhookEvents({ query: { failed_only: 'true' } });
    expect(failed).toMatchObject({ status: 'failed', processed_at: null, retry_count: 0 });
    expect(await monitor().retryFailedWebhooks({ body: { max_retries: 10 } })).toEqual({
      retried_count: 1,
      success_count: 0,
      still_failed_count: 1,
    });
    stripe.failWith(0);
    await followPayments();
    expect(await balance(), 'not before its time').toBe(0n);
    await database.pool.query('UPDATE webhook_events SET next_attempt_at = now()');
    await followPayments();
    const details = await monitor().getWebhookEvent({ params: { id: failed?.id ?? 0 } });
    expect(details).toMatchObject({
      status: 'completed',
      retry_count: 2,
      attempts: [{ error: expect.any(String) }, { error: expect.any(String) }, { error: null }],
      transactions: [{ transaction_type: 'recharge', amount: 4, tenant_id: payer.tenantId }],
    });
    expect(await monitor().retryFailedWebhooks({ body: {} })).toMatchObject({ retried_count: 0 });
  });

  it('a webhook event of a dead node is processed when it is due again', async () => {
    const id = await beginPayment(6);
    stripe.succeed(id);
    await database.pool.query(
      `INSERT INTO webhook_events (event_id, event_type, intent_id, status, payload, next_attempt_at)
       VALUES ('evt_1', 'payment_intent.succeeded', $1, 'processing', '{}', now() + interval '1 minute')`,
      [id],
    );
    await followPayments();
    expect(await balance()).toBe(0n);
    await database.pool.query('UPDATE webhook_events SET next_attempt_at = now()');
    await followPayments();
    expect(await balance()).toBe(6_000_000_000n);
  });
});

const steps = fc.array(
  fc.record({
    change: fc.constantFrom('succeed', 'refund', 'dispute', 'win', 'nothing'),
    copies: fc.integer({ min: 0, max: 3 }),
  }),
  { maxLength: 8 },
);

it('credits match the provider regardless of order, repetition or loss of events', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.infiniteStream(fc.nat()), async (history, order) => {
      const before = (await balance()) ?? 0n;
      const id = await beginPayment(20);
      const deliveries: (() => Promise<unknown>)[] = [];
      for (const { change, copies } of history) {
        const type = play(id, change);
        const event = stripe.event(type, { object: 'charge', payment_intent: id });
        for (let copy = 0; copy < copies; copy++) deliveries.push(() => deliver(event));
      }
      const mixed = deliveries
        .map((deliverOne) => ({ deliverOne, place: order.next().value ?? 0 }))
        .sort((left, right) => left.place - right.place);
      await Promise.all(mixed.map(({ deliverOne }) => deliverOne()));
      await database.pool.query(`UPDATE payments SET checked_at = now() - interval '2 days'`);
      await followPayments();
      expect(((await balance()) ?? 0n) - before).toBe(expectedNanoUsd(id));
    }),
    { numRuns: isFullSize ? 60 : 15, endOnFailure: true },
  );
});

function play(id: string, change: string): string {
  const intent = stripe.intents.get(id);
  const isPaid = intent?.status === 'succeeded';
  if (change === 'succeed') stripe.succeed(id);
  if (change === 'refund' && isPaid) stripe.refund(id, 100);
  if (change === 'dispute' && isPaid && intent.disputes.length === 0) stripe.dispute(id);
  if (change === 'win') stripe.winDispute(id);
  return change === 'succeed' ? 'payment_intent.succeeded' : `charge.${change}`;
}

function expectedNanoUsd(id: string): bigint {
  const intent = stripe.intents.get(id);
  if (intent?.status !== 'succeeded') return 0n;
  const lost = intent.disputes.filter(({ status }) => status !== 'won').length * intent.amount;
  const refunded = intent.refunds.reduce((sum, { amount }) => sum + amount, 0);
  return BigInt(intent.amount - lost - refunded) * 10_000_000n;
}
