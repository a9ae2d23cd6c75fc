import { budgetsRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findPeriodWindow } from '#domain/allowance/period.ts';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createBudgetsHandlers } from './routes.ts';

let database: TestDatabase;
let as: (principal: Principal) => ReturnType<ReturnType<typeof createTestConsole<typeof budgetsRoutes>>>;
let admin: Principal;
let mara: Principal;
let stranger: Principal;
let teamId: number;
const timeZone = 'Pacific/Auckland';

beforeAll(async () => {
  database = await createTestDatabase();
  const tenantId = await addTenant(database.pool, 'One', { timeZone });
  admin = await addPerson(database.pool, tenantId, 'admin', 'ada@one.test');
  mara = await addPerson(database.pool, tenantId, 'user', 'mara@one.test');
  const other = await addTenant(database.pool, 'Two');
  stranger = await addPerson(database.pool, other, 'admin', 's@two.test');
  const { rows } = await database.pool.query<{ id: number }>(
    "INSERT INTO teams (tenant_id, name) VALUES ($1, 'Platform') RETURNING id",
    [tenantId],
  );
  teamId = rows[0]!.id;
  const console = createTestConsole(database.pool, budgetsRoutes, createBudgetsHandlers());
  as = (principal) => console({ principal });
});
afterAll(() => database.close());
beforeEach(() => database.pool.query('DELETE FROM budgets'));

type NewBudget = Parameters<ReturnType<typeof as>['createBudget']>[0]['body'];
const monthly: NewBudget = { measure: 'usd', period: 'month', limit: 50 };
const add = (more: Partial<NewBudget> = {}) => as(admin).createBudget({ body: { ...monthly, ...more } });

/** Adds usage of a budget in the calendar month of an instant. */
async function settle(id: number, settledUsd: number, atMs = Date.now()): Promise<void> {
  const { startMs } = findPeriodWindow({ unit: 'month', startsAtMs: null }, atMs, timeZone);
  await database.pool.query(
    `INSERT INTO allowances (tenant_id, kind, subject_id, window_start, limit_amount, settled, leased, requests, overrun)
     SELECT tenant_id, 'usd_budget', id, $2, limit_amount, $3, 1000000000, 7, 250000000 FROM budgets WHERE id = $1`,
    [id, new Date(startMs).toISOString(), settledUsd * 1e9],
  );
}

describe('createBudget', () => {
  it('createBudget returns the budget with its subject and nothing spent', async () => {
    const created = await add({
      team_id: teamId,
      user_id: mara.userId,
      model_pattern: 'gpt-5*',
      limit: 12.5,
    });
    expect(created).toMatchObject({
      team_id: teamId,
      user_id: mara.userId,
      subject: 'user "mara" in team "Platform", models gpt-5*',
      limit: 12.5,
      effective_limit: 12.5,
      thresholds: [80, 100],
      action: 'refuse',
      spent: 0,
      held: 0,
      over_max: 0,
      used_percent: 0,
      raised_until: null,
    });
    expect(await as(admin).getBudget({ params: { id: created.id } })).toEqual(created);
    expect(await as(admin).listBudgets({ query: {} })).toEqual([created]);
    expect(await as(stranger).listBudgets({ query: {} })).toEqual([]);
  });

  it.each([
    [{ limit: 0 }, 'greater than 0'],
    [{ limit: 9_000_001 }, 'at most $9,000,000'],
    [{ limit: 0.0000000001 }, 'at most 9 decimals'],
    [{ measure: 'tokens', limit: 1.5 }, 'whole number'],
    [{ action: 'route' }, 'Enter the model to route to'],
    [{ route_to: 'small' }, 'A model to route to requires'],
    [{ model_pattern: '{a,b' }, 'Braces enclose'],
    [{ thresholds: [0] }, 'at least 1%'],
  ] as const)('createBudget rejects %j', async (more, problem) => {
    await expect(
      add({ ...more, thresholds: 'thresholds' in more ? [...more.thresholds] : undefined }),
    ).rejects.toThrow(problem);
  });

  it.each(['team_id', 'user_id', 'api_key_id', 'task_id', 'llm_provider_id'] as const)(
    'createBudget rejects a foreign %s like a missing one',
    async (field) => {
      const foreign =
        { user_id: stranger.userId, team_id: 2_147_483_646 }[field as 'user_id'] ?? 2_147_483_646;
      const failures = await Promise.all(
        [foreign, 2_147_483_647].map((id) => add({ [field]: id }).catch((error: unknown) => error)),
      );
      expect(failures[0]).toMatchObject({ status: 422, detail: [{ loc: ['body', field] }] });
      expect(failures[0]).toEqual(failures[1]);
    },
  );
});

describe('listBudgets', () => {
  it('listBudgets sorts by the used share and filters by it and by subject', async () => {
    const [half, full, fresh] = [
      await add({ team_id: teamId }),
      await add({ user_id: mara.userId }),
      await add(),
    ];
    await settle(half.id, 25);
    await settle(full.id, 50.25);
    await settle(fresh.id, 49, Date.now() - 40 * 86_400_000);
    const all = await as(admin).listBudgets({ query: {} });
    expect(all.map(({ id, spent, used_percent }) => [id, spent, used_percent])).toEqual([
      [full.id, 50.25, 100.5],
      [half.id, 25, 50],
      [fresh.id, 0, 0],
    ]);
    expect(all[0]).toMatchObject({ held: 1, over_max: 0.25, requests: 7 });
    const idsOf = async (query: object) => (await as(admin).listBudgets({ query })).map(({ id }) => id);
    expect(await idsOf({ used_percent: 80 })).toEqual([full.id]);
    expect(await idsOf({ team_id: teamId })).toEqual([half.id]);
    expect(await idsOf({ skip: 1, limit: 1 })).toEqual([half.id]);
  });

  it("listOwnBudgets returns the budgets of the caller and the caller's keys only", async () => {
    const own = await add({ user_id: mara.userId });
    const { rows } = await database.pool.query<{ id: number }>(
      `INSERT INTO api_keys (tenant_id, user_id, name, key_hash, last4, scopes)
       VALUES ($1, $2, 'laptop', uuid_send(gen_random_uuid()), 'last', '{models}') RETURNING id`,
      [mara.tenantId, mara.userId],
    );
    const ofKey = await add({ api_key_id: rows[0]!.id });
    await add({ user_id: admin.userId });
    await add();
    expect((await as(mara).listOwnBudgets()).map(({ id }) => id)).toEqual([own.id, ofKey.id]);
    expect(ofKey.subject).toBe('API key "laptop" of user "mara"');
  });
});

describe('a change of a budget', () => {
  const limitOf = async (id: number) => {
    const { rows } = await database.pool.query<{ limit: number | null }>(
      'SELECT limit_amount::float8 / 1e9 AS limit FROM allowances WHERE subject_id = $1 ORDER BY window_start DESC',
      [id],
    );
    return rows.map(({ limit }) => limit);
  };

  it('updateBudget changes the running window at once and leaves earlier ones', async () => {
    const { id } = await add();
    await settle(id, 1);
    await settle(id, 2, Date.now() - 40 * 86_400_000);
    const params = { id };
    expect(await as(admin).updateBudget({ params, body: { limit: 75 } })).toMatchObject({ limit: 75 });
    expect(await limitOf(id)).toEqual([75, 50]);
    expect(await as(admin).updateBudget({ params, body: { action: 'warn' } })).toMatchObject({
      action: 'warn',
    });
    expect(await limitOf(id)).toEqual([null, 50]);
    await expect(as(admin).updateBudget({ params, body: { action: 'route' } })).rejects.toThrow(
      'Enter the model to route to',
    );
    const routed = await as(admin).updateBudget({ params, body: { action: 'route', route_to: 'small' } });
    expect(routed).toMatchObject({ action: 'route', route_to: 'small' });
    expect(await as(admin).updateBudget({ params, body: { action: 'refuse' } })).toMatchObject({
      route_to: null,
    });
    expect(await limitOf(id)).toEqual([75, 50]);
    await as(admin).deleteBudget({ params });
    expect(await limitOf(id)).toEqual([null, 50]);
  });

  it('raiseBudget raises the limit until its end, with a reason in the audit log', async () => {
    const { id } = await add();
    await settle(id, 45);
    const params = { id };
    const until = new Date(Date.now() + 86_400_000).toISOString();
    const raise = (body: object = {}) =>
      as(admin).raiseBudget({ params, body: { limit: 80, until, reason: 'release week', ...body } });
    await expect(raise({ limit: 50 })).rejects.toThrow('must be higher');
    await expect(raise({ until: new Date(0).toISOString() })).rejects.toThrow('in the future');
    await expect(raise({ reason: ' ' })).rejects.toThrow('A reason is required');
    expect(await raise()).toMatchObject({
      limit: 50,
      raised_limit: 80,
      raised_until: until,
      effective_limit: 80,
      used_percent: 56.3,
    });
    expect(await limitOf(id)).toEqual([80]);
    const { rows } = await database.pool.query(
      "SELECT after ->> 'raise_reason' AS reason FROM audit_entries WHERE object_type = 'budget' AND before IS NOT NULL OR after ? 'raise_reason'",
    );
    expect(rows).toContainEqual({ reason: 'release week' });
    expect(await as(admin).endBudgetRaise({ params })).toMatchObject({
      effective_limit: 50,
      raised_limit: null,
    });
    expect(await limitOf(id)).toEqual([50]);
  });

  it.each(['getBudget', 'deleteBudget', 'endBudgetRaise'] as const)(
    '%s returns a 404 for a budget of another tenant',
    async (name) => {
      const { id } = await add();
      await expect(as(stranger)[name]({ params: { id } })).rejects.toMatchObject({
        status: 404,
        detail: 'Budget not found',
      });
    },
  );
});
