import { billingRoutes, paymentMethodsRoutes, subscriptionsRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { createFollowPayments } from '#jobs/follow-payments.ts';
import { runAlone } from '#jobs/run-alone.ts';
import { postEntries } from '#ledger/post.ts';
import { createSimulatedProvider } from '#payments/simulated-provider.ts';
import { createLogger } from '#platform/logger.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';
import { createBillingHandlers } from '../billing/routes.ts';
import { createPaymentMethodsHandlers } from '../payment-methods/routes.ts';
import { createSubscriptionsHandlers } from './routes.ts';

let database: TestDatabase;
let system: SystemDatabase;
let ada: Principal;
let operator: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
  system = createSystemDatabase(database.pool);
});
afterAll(() => database.close());

beforeEach(async () => {
  await emptyTables(database, 'tenants');
  ada = await addPerson(database.pool, await addTenant(database.pool, 'Acme'), 'admin', 'ada@acme.test');
  const operators = await addTenant(database.pool, 'Operators');
  operator = await addPerson(database.pool, operators, 'super_admin', 'root@operators.test');
});

const provider = () => createSimulatedProvider(system);
const subscriptionsOf = (principal: Principal) =>
  createTestConsole(
    database.pool,
    subscriptionsRoutes,
    createSubscriptionsHandlers({ system, provider: provider() }),
  )({ principal });
const cardsOf = (principal: Principal) =>
  createTestConsole(
    database.pool,
    paymentMethodsRoutes,
    createPaymentMethodsHandlers({ system, provider: provider() }),
  )({ principal });
const billing = () =>
  createTestConsole(database.pool, billingRoutes, createBillingHandlers({ system }))({ principal: operator });
const addCard = (payment_method_id: string) => cardsOf(ada).addPaymentMethod({ body: { payment_method_id } });
const choose = (plan_id: string) => subscriptionsOf(ada).changeSubscription({ body: { plan_id } });
const limits = async () => {
  const { rows } = await database.pool.query(
    'SELECT user_limit AS users, admin_limit AS admins FROM tenants WHERE id = $1',
    [ada.tenantId],
  );
  return rows[0];
};

async function endPeriod(daysAgo: number): Promise<void> {
  for (const table of ['simulated_subscriptions', 'subscriptions'])
    await database.pool.query(
      `UPDATE ${table} SET trial_ends_at = trial_ends_at - (period_ends_at - now()) - $1 * interval '1 day',
         period_ends_at = now() - $1 * interval '1 day'`,
      [daysAgo],
    );
  await database.pool.query(`UPDATE subscriptions SET checked_at = now() - interval '30 days'`);
  await runAlone(system, createFollowPayments(provider()), createLogger('silent'));
}

describe('payment methods', () => {
  it('removing the default payment method makes the newest remaining one the default', async () => {
    const cards = cardsOf(ada);
    expect(await cards.listPaymentMethods()).toEqual([]);
    const visa = await addCard('pm_card_visa');
    expect(visa).toMatchObject({ brand: 'visa', last4: '4242', exp_month: 12, is_default: true });
    const master = await addCard('pm_card_mastercard');
    expect(master.is_default).toBe(false);
    expect(await cards.setDefaultPaymentMethod({ params: { id: master.id } })).toEqual({
      ...master,
      is_default: true,
    });
    await cards.removePaymentMethod({ params: { id: master.id } });
    expect(await cards.listPaymentMethods()).toEqual([visa]);
  });

  it('addPaymentMethod explains to the payer why a card is declined', async () => {
    await expect(addCard('pm_card_visa_chargeDeclined')).rejects.toMatchObject({
      status: 402,
      detail: 'Your card was declined.',
    });
    await expect(addCard('pm_card_authenticationRequired')).rejects.toMatchObject({ status: 402 });
    expect(await cardsOf(ada).listPaymentMethods()).toEqual([]);
  });

  it('payment method routes return 404 for cards of another tenant', async () => {
    const { id } = await addCard('pm_card_visa');
    const cards = cardsOf(operator);
    expect(await cards.listPaymentMethods()).toEqual([]);
    for (const call of [cards.removePaymentMethod, cards.setDefaultPaymentMethod])
      await expect(call({ params: { id } })).rejects.toMatchObject({
        status: 404,
        detail: 'Payment method not found',
      });
  });

  it('addPaymentMethod is audited with the last digits of the card', async () => {
    await addCard('pm_card_visa');
    const { rows } = await database.pool.query(
      `SELECT actor_id, action, after -> 'cards' AS cards FROM audit_entries
       WHERE object_type = 'payment_customer' AND after ? 'cards' ORDER BY id DESC LIMIT 1`,
    );
    expect(rows).toEqual([
      { actor_id: ada.userId, action: 'addPaymentMethod', cards: ['visa 4242 (default)'] },
    ]);
  });
});

describe('a subscription', () => {
  it('getSubscription returns no subscription until a plan is chosen, which starts one trial', async () => {
    expect(await subscriptionsOf(ada).getSubscription()).toMatchObject({
      plan: null,
      status: null,
      tenant_status: 'active',
    });
    const begun = await choose('basic');
    expect(begun).toMatchObject({
      plan: { id: 'basic', price_monthly: 29 },
      status: 'trialing',
      tenant_status: 'trial',
      has_payment_method: false,
      renews_at: null,
      ends_at: null,
    });
    expect(begun.suspends_at).toBe(begun.trial_ends_at);
    expect(await limits()).toEqual({ users: 5, admins: 1 });
    await addCard('pm_card_visa');
    expect(await subscriptionsOf(ada).getSubscription()).toMatchObject({
      has_payment_method: true,
      renews_at: begun.trial_ends_at,
      suspends_at: null,
    });
  });

  it('changeSubscription starts one subscription under concurrent calls', async () => {
    await addCard('pm_card_visa');
    const outcomes = await Promise.allSettled(['basic', 'pro', 'enterprise', 'basic'].map(choose));
    for (const outcome of outcomes.filter(({ status }) => status === 'rejected'))
      expect(outcome).toMatchObject({ reason: { status: 409 } });
    const { rows } = await database.pool.query(
      `SELECT simulated_subscriptions.plan_id, user_limit FROM simulated_subscriptions
       JOIN payment_customers USING (customer_id) JOIN tenants ON tenants.id = tenant_id WHERE tenant_id = $1`,
      [ada.tenantId],
    );
    expect(rows).toHaveLength(1);
    const plan = await subscriptionsOf(ada).getSubscription();
    expect(rows[0]).toEqual({ plan_id: plan.plan?.id, user_limit: plan.plan?.user_limit });
  });

  it('changeSubscription applies the limits of the new plan and undoes a cancellation', async () => {
    await addCard('pm_card_visa');
    const { trial_ends_at } = await choose('basic');
    const calls = subscriptionsOf(ada);
    expect(await calls.cancelSubscription()).toMatchObject({ status: 'trialing', ends_at: trial_ends_at });
    expect(await choose('pro')).toMatchObject({ plan: { id: 'pro' }, ends_at: null });
    expect(await limits()).toEqual({ users: 20, admins: 3 });
    await expect(choose('gold')).rejects.toMatchObject({ status: 404, detail: 'Plan not found' });
  });

  it('changeSubscription rejects a plan that allows fewer users than are active, and reports both numbers', async () => {
    await choose('pro');
    for (let count = 0; count < 6; count++)
      await addPerson(database.pool, ada.tenantId, 'user', `u${count}@acme.test`);
    await addPerson(database.pool, ada.tenantId, 'admin', 'bob@acme.test');
    const refused = {
      status: 409,
      detail:
        'The Basic plan allows 5 users and 1 administrator; 6 users and 2 administrators are active here. ' +
        'Deactivate 1 user and 1 administrator first.',
    };
    await expect(choose('basic')).rejects.toMatchObject(refused);
    const byOperator = subscriptionsOf(operator).changeTenantSubscription({
      params: { id: ada.tenantId },
      body: { plan_id: 'basic' },
    });
    await expect(byOperator).rejects.toMatchObject(refused);
    expect(await limits()).toEqual({ users: 20, admins: 3 });
  });

  it('a trial that ends without a card suspends the tenant, and paying reactivates it', async () => {
    await choose('basic');
    await endPeriod(0);
    const calls = subscriptionsOf(ada);
    expect(await calls.getSubscription()).toMatchObject({
      status: 'past_due',
      tenant_status: 'suspended',
      failure: expect.any(String),
    });
    await expect(calls.paySubscription()).rejects.toMatchObject({ status: 402 });
    await addCard('pm_card_visa');
    expect(await calls.paySubscription()).toMatchObject({ status: 'active', tenant_status: 'active' });
    expect(await calls.paySubscription()).toMatchObject({ status: 'active' });
  });

  it.each([
    [6, 'active'],
    [8, 'suspended'],
  ])('a tenant %s days after a failed renewal is %s', async (days, tenant_status) => {
    await addCard('pm_card_chargeCustomerFail');
    await choose('basic');
    await endPeriod(days);
    expect(await subscriptionsOf(ada).getSubscription()).toMatchObject({
      status: 'past_due',
      tenant_status,
      failure: 'Your card was declined.',
    });
  });

  it('a canceled subscription ends with the paid period, and the next one has no trial and starts when paid', async () => {
    await addCard('pm_card_visa');
    await choose('basic');
    const calls = subscriptionsOf(ada);
    await calls.cancelSubscription();
    await endPeriod(0);
    expect(await calls.getSubscription()).toMatchObject({ status: 'canceled', tenant_status: 'suspended' });
    await expect(calls.cancelSubscription()).rejects.toMatchObject({ status: 409 });
    const [card] = await cardsOf(ada).listPaymentMethods();
    await cardsOf(ada).removePaymentMethod({ params: { id: card?.id ?? '' } });
    await expect(choose('basic')).rejects.toMatchObject({ status: 402 });
    expect(await calls.getSubscription()).toMatchObject({ status: 'canceled', tenant_status: 'suspended' });
    await addCard('pm_card_visa');
    expect(await choose('basic')).toMatchObject({
      status: 'active',
      tenant_status: 'active',
      trial_ends_at: null,
    });
  });

  it('operators change and cancel subscriptions of any tenant', async () => {
    const calls = subscriptionsOf(operator);
    const params = { id: ada.tenantId };
    expect(await calls.changeTenantSubscription({ params, body: { plan_id: 'enterprise' } })).toMatchObject({
      plan: { id: 'enterprise' },
    });
    expect(await calls.cancelTenantSubscription({ params })).toMatchObject({ ends_at: expect.any(String) });
    const missing = { params: { id: 2_000_000_000 }, body: { plan_id: 'pro' } };
    for (const call of [calls.cancelTenantSubscription, calls.changeTenantSubscription])
      await expect(call(missing)).rejects.toMatchObject({ status: 404, detail: 'Tenant not found' });
  });

  it('subscription changes are audited with their author', async () => {
    await choose('basic');
    await choose('pro');
    const { rows } = await database.pool.query(
      `SELECT actor_id, action, after ->> 'plan_id' AS plan FROM audit_entries
       WHERE object_type = 'subscription' AND after ? 'plan_id' AND tenant_id = $1 ORDER BY id`,
      [ada.tenantId],
    );
    expect(rows).toEqual([
      { actor_id: ada.userId, action: 'changeSubscription', plan: 'basic' },
      { actor_id: ada.userId, action: 'changeSubscription', plan: 'pro' },
    ]);
  });

  it('changeSubscription returns 503 without a payment provider', async () => {
    const calls = createTestConsole(
      database.pool,
      subscriptionsRoutes,
      createSubscriptionsHandlers({ system, provider: null }),
    )({ principal: ada });
    await expect(calls.changeSubscription({ body: { plan_id: 'pro' } })).rejects.toMatchObject({
      status: 503,
      detail:
        'Payments are not set up on this installation. Ask the operator to configure a payment provider.',
    });
  });
});

describe('billing figures', () => {
  const postEntry = (kind: 'recharge' | 'deduction', amount: bigint) =>
    system.transaction((tx) =>
      postEntries(tx, [
        { tenantId: ada.tenantId, kind, amount, source: kind, description: 'a test', actorId: null },
      ]),
    );

  it('getBillingMetrics returns tenants, revenue, credits, ending trials and cancellations', async () => {
    await addCard('pm_card_visa');
    await choose('pro');
    await postEntry('recharge', 25_000_000_000n);
    await postEntry('deduction', -1_500_000_000n);
    expect(await billing().getBillingMetrics()).toEqual({
      tenants: { total: 2, active: 1, trial: 1, suspended: 0 },
      monthly_recurring_revenue: 0,
      trials_ending_soon: 0,
      past_due: 0,
      recharged_this_month: 25,
      spent_this_month: 1.5,
      canceled_this_month: 0,
      churn_rate: 0,
    });
    await database.pool.query(`UPDATE subscriptions SET trial_ends_at = now() + interval '6 days'`);
    expect(await billing().getBillingMetrics()).toMatchObject({ trials_ending_soon: 1 });
    await endPeriod(0);
    await database.pool.query(`UPDATE subscriptions SET started_at = now() - interval '40 days'`);
    expect(await billing().getBillingMetrics()).toMatchObject({
      monthly_recurring_revenue: 99,
      churn_rate: 0,
    });
    await database.pool.query(`UPDATE subscriptions SET status = 'canceled', ends_at = now()`);
    expect(await billing().getBillingMetrics()).toMatchObject({
      monthly_recurring_revenue: 0,
      canceled_this_month: 1,
      churn_rate: 100,
    });
  });

  it('exportBilledTenants escapes names that are formulas', async () => {
    await choose('basic');
    await database.pool.query(`UPDATE tenants SET name = '=1+1' WHERE id = $1`, [ada.tenantId]);
    const text = await (await billing().exportBilledTenants()).text();
    const [header = '', acme = '', operators = ''] = text.replace('\u{feff}', '').split('\r\n');
    expect(header).toMatch(/^id,name,slug,status,plan,subscription_status,/);
    expect(acme).toMatch(new RegExp(`^${ada.tenantId},'=1\\+1,acme,trial,Basic,trialing,20`));
    expect(operators).toMatch(new RegExp(`^${operator.tenantId},Operators,operators,active,,,`));
  });
});
