import { budgetRaiseRequestsRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createBudgetRaiseRequestsHandlers } from './routes.ts';

let database: TestDatabase;
let as: (
  principal: Principal,
) => ReturnType<ReturnType<typeof createTestConsole<typeof budgetRaiseRequestsRoutes>>>;
let admin: Principal;
let mara: Principal;
let stranger: Principal;
let budgetId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  const tenantId = await addTenant(database.pool, 'One');
  admin = await addPerson(database.pool, tenantId, 'admin', 'ada@one.test');
  mara = await addPerson(database.pool, tenantId, 'user', 'mara@one.test');
  stranger = await addPerson(database.pool, await addTenant(database.pool, 'Two'), 'admin', 's@two.test');
  const console = createTestConsole(
    database.pool,
    budgetRaiseRequestsRoutes,
    createBudgetRaiseRequestsHandlers(),
  );
  as = (principal) => console({ principal });
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.pool.query('DELETE FROM budgets');
  budgetId = await addBudget(mara);
});

async function addBudget({ tenantId, userId }: Principal): Promise<number> {
  const { rows } = await database.pool.query<{ id: number }>(
    `INSERT INTO budgets (tenant_id, user_id, measure, period, limit_amount)
     VALUES ($1, $2, 'usd', 'month', 50000000000) RETURNING id`,
    [tenantId, userId],
  );
  return rows[0]!.id;
}

const until = new Date(Date.now() + 3 * 86_400_000).toISOString();
const request = (who = mara, more: { budget_id?: number; limit?: number } = {}) =>
  as(who).requestBudgetRaise({
    body: { budget_id: budgetId, limit: 80, until, reason: 'Release week', ...more },
  });

it('an approved request for a higher limit raises the budget until the requested time, and its user sees the decision', async () => {
  const { id } = await request();
  expect(await as(admin).listRaiseRequests({ query: { status: 'open' } })).toMatchObject([
    { id, user_id: mara.userId, limit: 80, until, reason: 'Release week', budget: { limit: 50 } },
  ]);
  const decided = await as(admin).decideRaiseRequest({
    params: { id },
    body: { decision: 'approve', note: 'Good luck' },
  });
  expect(decided).toMatchObject({
    status: 'approved',
    budget: { effective_limit: 80, raised_until: until, raise_reason: 'Release week' },
  });
  expect(await as(mara).listOwnRaiseRequests()).toMatchObject([{ status: 'approved', note: 'Good luck' }]);
  expect(await as(admin).listRaiseRequests({ query: { status: 'open' } })).toEqual([]);
  await expect(
    as(admin).decideRaiseRequest({ params: { id }, body: { decision: 'decline' } }),
  ).rejects.toMatchObject({ status: 409 });
  const { rows } = await database.pool.query(
    "SELECT DISTINCT action FROM audit_entries WHERE object_type = 'budget_raise_request' ORDER BY action",
  );
  expect(rows).toEqual([{ action: 'decideRaiseRequest' }, { action: 'requestBudgetRaise' }]);
});

it('a declined request for a higher limit changes no budget, and the user can send another one', async () => {
  const { id } = await request();
  const declined = await as(admin).decideRaiseRequest({ params: { id }, body: { decision: 'decline' } });
  expect(declined).toMatchObject({ status: 'declined', budget: { effective_limit: 50 } });
  expect(await request()).toMatchObject({ status: 'open' });
});

it('requestBudgetRaise allows one open request per budget and five per user', async () => {
  await request();
  await expect(request()).rejects.toMatchObject({ status: 409 });
  for (let sent = 0; sent < 4; sent++) await request(mara, { budget_id: await addBudget(mara) });
  await expect(request(mara, { budget_id: await addBudget(mara) })).rejects.toThrow(/5/);
});

it('requestBudgetRaise requires a budget of the caller and a higher limit, and another user must decide', async () => {
  for (const other of [admin, stranger])
    await expect(request(mara, { budget_id: await addBudget(other) })).rejects.toMatchObject({ status: 422 });
  await expect(request(mara, { limit: 50 })).rejects.toThrow('must be higher');
  const own = await request(admin, { budget_id: await addBudget(admin) });
  const decide = (who: Principal) =>
    as(who).decideRaiseRequest({ params: { id: own.id }, body: { decision: 'approve' } });
  await expect(decide(admin)).rejects.toMatchObject({ status: 403 });
  await expect(decide(stranger)).rejects.toMatchObject({ status: 404 });
});
