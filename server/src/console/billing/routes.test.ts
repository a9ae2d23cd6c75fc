import { billingRoutes, roleNames } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import { isAllowed, type Principal } from '#domain/principal.ts';
import { postEntries } from '#ledger/post.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';
import { createBillingHandlers } from './routes.ts';

let database: TestDatabase;
let system: SystemDatabase;
let operator: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
  system = createSystemDatabase(database.pool);
});
afterAll(() => database.close());

beforeEach(async () => {
  await emptyTables(database, 'tenants');
  const tenantId = await addTenant(database.pool, 'Operators');
  operator = await addPerson(database.pool, tenantId, 'super_admin', 'root@operators.test');
});

const list = () =>
  createTestConsole(
    database.pool,
    billingRoutes,
    createBillingHandlers({ system }),
  )({ principal: operator }).listBilledTenants();
const post = (tenantId: number, kind: 'recharge' | 'deduction', amount: bigint) =>
  system.transaction((tx) =>
    postEntries(tx, [
      { tenantId, kind, amount, source: `${kind} ${tenantId}`, description: 'a test', actorId: null },
    ]),
  );

const noPlan = {
  plan_id: null,
  plan_name: null,
  subscription_status: null,
  trial_ends_at: null,
  period_ends_at: null,
  ends_at: null,
};

it("listBilledTenants returns every tenant with its users and credits, not only the caller's", async () => {
  const { tenantId } = operator;
  const acme = await addTenant(database.pool, 'Acme');
  await addPerson(database.pool, acme, 'admin', 'ada@acme.test');
  await addPerson(database.pool, acme, 'user', 'mara@acme.test');
  await post(acme, 'recharge', 12_500_000_000n);
  await post(acme, 'deduction', -1n);
  expect(await list()).toEqual([
    {
      id: tenantId,
      name: 'Operators',
      slug: 'operators',
      status: 'active',
      created_at: expect.any(String),
      user_count: 1,
      ...noPlan,
      current_balance: 0,
      lifetime_spent: 0,
      lifetime_recharged: 0,
      last_transaction_at: null,
      is_low_balance: true,
      is_zero_balance: true,
      low_balance_threshold: 10,
      service_spending_enabled: true,
    },
    {
      id: acme,
      name: 'Acme',
      slug: 'acme',
      status: 'active',
      created_at: expect.any(String),
      user_count: 2,
      ...noPlan,
      current_balance: 12.499999999,
      lifetime_spent: 0.000000001,
      lifetime_recharged: 12.5,
      last_transaction_at: expect.any(String),
      is_low_balance: false,
      is_zero_balance: false,
      low_balance_threshold: 10,
      service_spending_enabled: true,
    },
  ]);
});

it('listBilledTenants includes a tenant without users and applies its low-balance threshold', async () => {
  const empty = await addTenant(database.pool, 'Empty');
  await post(empty, 'recharge', 5_000_000_000n);
  await database.pool.query('UPDATE tenants SET low_balance_threshold = 4999999999 WHERE id = $1', [empty]);
  expect((await list()).find(({ id }) => id === empty)).toMatchObject({
    user_count: 0,
    current_balance: 5,
    low_balance_threshold: 4.999999999,
    is_low_balance: false,
  });
});

it('listBilledTenants is limited to super administrators', () => {
  const mayList = (role: Principal['role']) =>
    isAllowed({ ...operator, role }, billingRoutes.listBilledTenants.permission);
  expect(roleNames.filter(mayList)).toEqual(['super_admin']);
});

it('listPlans and getPlan are public, and listPlans returns the smallest plan first', async () => {
  const stranger = createTestConsole(database.pool, billingRoutes, createBillingHandlers({ system }))();
  const plans = await stranger.listPlans();
  expect(
    plans.map(({ id, name, price_monthly, price_yearly, user_limit, admin_limit }) => ({
      id,
      name,
      prices: [price_monthly, price_yearly],
      limits: [user_limit, admin_limit],
    })),
  ).toEqual([
    { id: 'basic', name: 'Basic', prices: [29, 290], limits: [5, 1] },
    { id: 'pro', name: 'Pro', prices: [99, 990], limits: [20, 3] },
    { id: 'enterprise', name: 'Enterprise', prices: [299, 2990], limits: [100, 10] },
  ]);
  expect(await stranger.getPlan({ params: { id: 'pro' } })).toEqual(plans[1]);
  await expect(stranger.getPlan({ params: { id: 'gold' } })).rejects.toMatchObject({
    status: 404,
    detail: 'Plan not found',
  });
});
