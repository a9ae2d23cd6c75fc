import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import { createFollowPayments } from '#jobs/follow-payments.ts';
import { runAlone } from '#jobs/run-alone.ts';
import { createLogger } from '#platform/logger.ts';
import { addTenant } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';
import { type StripeStandIn, startStripeStandIn, webhookSecret } from '#test/providers/stripe-stand-in.ts';
import { applySubscription } from './apply-subscription.ts';
import { findDueSubscriptions } from './find-due-subscriptions.ts';
import type { PaymentProvider } from './payment-provider.ts';
import { processEvent, recordEvent } from './process-event.ts';
import { startSubscription, trialDays } from './start-subscription.ts';
import { createStripeProvider } from './stripe-provider.ts';

let database: TestDatabase;
let system: SystemDatabase;
let stripe: StripeStandIn;
let provider: PaymentProvider;

beforeAll(async () => {
  database = await createTestDatabase();
  system = createSystemDatabase(database.pool);
  stripe = await startStripeStandIn();
  provider = createStripeProvider({
    secretKey: 'sk_test_of_the_tests',
    publishableKey: 'pk_1',
    webhookSecret,
    apiBase: stripe.origin,
  });
});
afterAll(async () => {
  await stripe.close();
  await database.close();
});
beforeEach(async () => {
  stripe.failWith(0);
  await emptyTables(database, 'tenants', 'webhook_events');
});

let count = 0;

/** Creates a tenant in the state after a signup. The provider has the customer, but not yet the subscription. */
async function signUp({ card = 'pm_card_visa' as string | null, days = trialDays, planId = 'basic' } = {}) {
  const tenantId = await addTenant(database.pool, `Acme ${++count}`);
  const customerId = await provider.createCustomer({
    email: 'ada@acme.test',
    name: 'Acme',
    idempotencyKey: `${tenantId}-${count}`,
  });
  if (card) await provider.attachPaymentMethod(customerId, card);
  await system.transaction((tx) =>
    startSubscription(tx, { tenantId, planId, provider: 'stripe', customerId, trialDays: days }),
  );
  return { tenantId, customerId };
}

async function subscribe(options: Parameters<typeof signUp>[0] = {}) {
  const { tenantId, customerId } = await signUp(options);
  const subscription = await applySubscription(system, provider, tenantId);
  return { tenantId, customerId, id: subscription?.subscriptionId ?? '' };
}

async function stateOf(tenantId: number) {
  const { rows } = await database.pool.query(
    `SELECT t.status AS tenant, user_limit, admin_limit, s.plan_id, s.status, has_payment_method, failure,
            unpaid_since IS NOT NULL AS is_unpaid
     FROM tenants t JOIN subscriptions s ON s.tenant_id = t.id WHERE t.id = $1`,
    [tenantId],
  );
  return rows[0];
}

const day = 86_400;
const daysAgo = (days: number) => Math.floor(Date.now() / 1_000) - days * day;
const runJob = () => runAlone(system, createFollowPayments(provider), createLogger('silent'));

const objects: Readonly<Record<string, string>> = {
  'customer.subscription.updated': 'subscription',
  'customer.subscription.deleted': 'subscription',
  'setup_intent.succeeded': 'setup_intent',
};

async function deliver(type: string, customer: string, eventId?: string): Promise<void> {
  const { body, signature } = stripe.event(
    type,
    { object: objects[type] ?? 'invoice', customer },
    eventId ? { id: eventId } : {},
  );
  const event = provider.readEvent(Buffer.from(body), signature);
  const id = await recordEvent(system, event);
  if (id !== undefined) expect(await processEvent(system, provider, id)).toBe(true);
}

it('applySubscription starts a trial with the limits of the plan, only once at the provider', async () => {
  const { tenantId, customerId } = await signUp();
  await Promise.all([1, 2, 3].map(() => applySubscription(system, provider, tenantId)));
  expect(await stateOf(tenantId)).toEqual({
    tenant: 'trial',
    user_limit: 5,
    admin_limit: 1,
    plan_id: 'basic',
    status: 'trialing',
    has_payment_method: true,
    failure: null,
    is_unpaid: false,
  });
  const begun = [...stripe.billing.subscriptions.values()].filter(({ customer }) => customer === customerId);
  expect(begun).toHaveLength(1);
  const trialSeconds = (begun[0]?.trialEnd ?? 0) - Date.now() / 1_000;
  expect(trialSeconds / day).toBeCloseTo(14, 2);
});

it('the job follow-payments starts a subscription at the provider if the node died before it could', async () => {
  const { tenantId } = await signUp();
  expect(await findDueSubscriptions(system, 'stripe')).toEqual([]);
  await database.pool.query(`UPDATE subscriptions SET checked_at = now() - interval '1 minute'`);
  await runJob();
  expect(await stateOf(tenantId)).toMatchObject({ status: 'trialing', has_payment_method: true });
});

it('applySubscription finds a subscription if the node died after creating it at the provider, and starts no second one', async () => {
  const { tenantId, customerId } = await subscribe();
  await database.pool.query(
    `UPDATE subscriptions SET subscription_id = NULL, has_payment_method = false, checked_at = now() - interval '1 minute'`,
  );
  await runJob();
  expect(await stateOf(tenantId)).toMatchObject({ status: 'trialing', has_payment_method: true });
  expect(
    [...stripe.billing.subscriptions.values()].filter(({ customer }) => customer === customerId),
  ).toHaveLength(1);
});

it('applySubscription suspends a tenant without a card when the trial ends, and reactivates it after payment', async () => {
  const { tenantId, customerId, id } = await subscribe({ card: null });
  stripe.billing.renew(id, stripe.billing.subscriptions.get(id)?.trialEnd ?? 0);
  await deliver('invoice.payment_failed', customerId);
  expect((await stateOf(tenantId)).tenant).toBe('active');
  const subscription = stripe.billing.subscriptions.get(id);
  const ended = { trialEnd: daysAgo(0) - 60 };
  Object.assign(subscription ?? {}, ended);
  for (const invoice of subscription?.invoices ?? []) Object.assign(invoice, { created: ended.trialEnd });
  await deliver('customer.subscription.updated', customerId);
  expect(await stateOf(tenantId)).toMatchObject({ tenant: 'suspended', status: 'past_due' });
  await provider.attachPaymentMethod(customerId, 'pm_card_visa');
  await provider.payUnpaid(id);
  await deliver('invoice.paid', customerId);
  expect(await stateOf(tenantId)).toMatchObject({ tenant: 'active', status: 'active', failure: null });
});

it.each([
  [6.9, 'active'],
  [7.1, 'suspended'],
])('applySubscription %s days after a failed renewal sets the tenant status to %s', async (days, tenant) => {
  const { tenantId, customerId, id } = await subscribe({ card: 'pm_card_chargeCustomerFail' });
  stripe.billing.renew(id, Math.floor(daysAgo(days)));
  await deliver('invoice.payment_failed', customerId);
  expect(await stateOf(tenantId)).toMatchObject({
    tenant,
    status: 'past_due',
    failure: 'Your card was declined.',
  });
});

it('the job follow-payments suspends a tenant after the grace period without an event', async () => {
  const { tenantId, customerId, id } = await subscribe({ card: 'pm_card_chargeCustomerFail' });
  stripe.billing.renew(id, daysAgo(6));
  await deliver('invoice.payment_failed', customerId);
  await runJob();
  expect((await stateOf(tenantId)).tenant).toBe('active');
  for (const invoice of stripe.billing.subscriptions.get(id)?.invoices ?? [])
    Object.assign(invoice, { created: daysAgo(8) });
  await database.pool.query(
    `UPDATE subscriptions SET unpaid_since = unpaid_since - interval '2 days', checked_at = now() - interval '30 minutes'`,
  );
  // The grace period ended before the last check. Unpaid subscriptions are checked only every hour.
  expect(await findDueSubscriptions(system, 'stripe')).toEqual([]);
  await database.pool.query(`UPDATE subscriptions SET checked_at = now() - interval '25 hours'`);
  await runJob();
  expect((await stateOf(tenantId)).tenant).toBe('suspended');
});

it('applySubscription applies the limits of a plan that was changed at the provider', async () => {
  const { tenantId, customerId, id } = await subscribe();
  await provider.changeSubscriptionPlan(id, { id: 'pro', name: 'Pro', monthlyCents: 9_900 });
  await deliver('customer.subscription.updated', customerId);
  expect(await stateOf(tenantId)).toMatchObject({ plan_id: 'pro', user_limit: 20, admin_limit: 3 });
});

it('applySubscription starts nothing if the first payment is rejected, and does not retry', async () => {
  const { tenantId } = await signUp({ card: 'pm_card_chargeCustomerFail', days: 0 });
  await expect(applySubscription(system, provider, tenantId)).rejects.toMatchObject({
    name: 'PaymentRefusedError',
  });
  expect(await stateOf(tenantId)).toMatchObject({ status: 'canceled', failure: 'Your card was declined.' });
  await database.pool.query(`UPDATE subscriptions SET checked_at = now() - interval '2 days'`);
  expect(await findDueSubscriptions(system, 'stripe')).toEqual([]);
});

it('applySubscription leaves tenants without a subscription unchanged', async () => {
  const tenantId = await addTenant(database.pool, 'First');
  await deliver('customer.subscription.deleted', 'cus_of_nobody');
  await runJob();
  expect(await applySubscription(system, provider, tenantId)).toBeUndefined();
  const { rows } = await database.pool.query('SELECT status, user_limit FROM tenants WHERE id = $1', [
    tenantId,
  ]);
  expect(rows).toEqual([{ status: 'active', user_limit: null }]);
});

const happenings = {
  renewed: (id: string) => stripe.billing.renew(id),
  failedLongAgo: (id: string) => {
    const subscription = stripe.billing.subscriptions.get(id);
    const customer = stripe.billing.customers.get(subscription?.customer ?? '');
    if (customer) customer.defaultPaymentMethod = null;
    stripe.billing.renew(id, daysAgo(9));
  },
  plan: (id: string) =>
    provider
      .changeSubscriptionPlan(id, { id: 'pro', name: 'Pro', monthlyCents: 9_900 })
      .catch(() => undefined),
  cancelled: (id: string) => provider.cancelSubscription(id).catch(() => undefined),
  card: async (id: string) => {
    const customerId = stripe.billing.subscriptions.get(id)?.customer ?? '';
    await provider.attachPaymentMethod(customerId, 'pm_card_visa');
  },
  paid: (id: string) => provider.payUnpaid(id).catch(() => undefined),
} satisfies Record<string, (id: string) => unknown>;
const types = [
  'customer.subscription.updated',
  'invoice.payment_failed',
  'invoice.paid',
  'setup_intent.succeeded',
];

it("applySubscription reaches the provider's state even if events are reordered, repeated or lost", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...Object.keys(happenings)), { maxLength: 6 }),
      fc.array(
        fc.record({ type: fc.constantFrom(...types), at: fc.nat(6), copies: fc.integer({ min: 1, max: 3 }) }),
        { maxLength: 6 },
      ),
      async (names, events) => {
        const told = await subscribe();
        const alone = await subscribe();
        for (const [index, name] of names.entries()) {
          const happen = happenings[name as keyof typeof happenings]; // safe because the names are the keys of `happenings`
          await happen(told.id);
          await happen(alone.id);
          await Promise.all(
            events
              .filter(({ at }) => at === index)
              .flatMap(({ type, copies }, nth) =>
                Array.from({ length: copies }, () =>
                  deliver(type, told.customerId, `evt_${told.id}_${index}_${nth}`),
                ),
              ),
          );
        }
        await database.pool.query(
          `UPDATE subscriptions SET checked_at = now() - interval '2 days' WHERE tenant_id = $1`,
          [told.tenantId],
        );
        await runJob();
        await applySubscription(system, provider, alone.tenantId);
        expect(await stateOf(told.tenantId)).toEqual(await stateOf(alone.tenantId));
      },
    ),
    { numRuns: 30 },
  );
}, 120_000);
