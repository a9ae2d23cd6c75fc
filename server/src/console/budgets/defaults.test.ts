import { budgetDefaultsRoutes, budgetsRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createBudgetDefaultsHandlers } from './default-routes.ts';
import { createBudgetsHandlers } from './routes.ts';

const routes = { ...budgetsRoutes, ...budgetDefaultsRoutes };

let database: TestDatabase;
let as: (principal: Principal) => ReturnType<ReturnType<typeof createTestConsole<typeof routes>>>;
let tenantId: number;
let admin: Principal;
let mara: Principal;
let stranger: Principal;
let platform: number;
let research: number;

beforeAll(async () => {
  database = await createTestDatabase();
  tenantId = await addTenant(database.pool, 'One');
  admin = await addPerson(database.pool, tenantId, 'admin', 'ada@one.test');
  mara = await addPerson(database.pool, tenantId, 'user', 'mara@one.test');
  stranger = await addPerson(database.pool, await addTenant(database.pool, 'Two'), 'admin', 's@two.test');
  [platform, research] = [await addTeam('Platform'), await addTeam('Research')];
  const handlers = { ...createBudgetsHandlers(), ...createBudgetDefaultsHandlers() };
  const console = createTestConsole(database.pool, routes, handlers);
  as = (principal) => console({ principal });
});
afterAll(() => database.close());
beforeEach(async () => {
  await run('DELETE FROM team_members');
  await run('DELETE FROM budget_defaults');
  await run('DELETE FROM budgets');
  await run('UPDATE teams SET is_active = true');
});

const run = (statement: string, values: unknown[] = []) => database.pool.query(statement, values);

async function addTeam(name: string): Promise<number> {
  const { rows } = await run('INSERT INTO teams (tenant_id, name) VALUES ($1, $2) RETURNING id', [
    tenantId,
    name,
  ]);
  return (rows[0] as { id: number }).id;
}

const join = (teamId: number, userId = mara.userId) =>
  run('INSERT INTO team_members (tenant_id, team_id, user_id) VALUES ($1, $2, $3)', [
    tenantId,
    teamId,
    userId,
  ]);
const leave = (teamId: number) => run('DELETE FROM team_members WHERE team_id = $1', [teamId]);

type NewDefault = Parameters<ReturnType<typeof as>['createBudgetDefault']>[0]['body'];
const monthly = { measure: 'usd', window: 'month' } as const;
const setDefault = (limit: number, more: Partial<NewDefault> = {}) =>
  as(admin).createBudgetDefault({ body: { ...monthly, limit, ...more } });

async function limitsOf({ userId }: Principal) {
  const found = await as(admin).listBudgets({ query: { user_id: userId } });
  return found.map(({ limit, origin, window }) => [window, limit, origin]).toSorted();
}

const ofPlatform = 'team "Platform"';
const ofAll = 'your organization';

it('a member gets the defaults of a team when joining, and loses them when leaving', async () => {
  await setDefault(50, { team_id: platform });
  await setDefault(5, { team_id: platform, window: 'day' });
  expect(await limitsOf(mara)).toEqual([]);
  await join(platform);
  expect(await limitsOf(mara)).toEqual([
    ['day', 5, ofPlatform],
    ['month', 50, ofPlatform],
  ]);
  await run('UPDATE team_members SET is_active = false');
  expect(await limitsOf(mara)).toEqual([]);
  await run('UPDATE team_members SET is_active = true');
  await run('UPDATE teams SET is_active = false');
  expect(await limitsOf(mara)).toEqual([]);
  await run('UPDATE teams SET is_active = true');
  expect(await limitsOf(mara)).toHaveLength(2);
  await leave(platform);
  expect(await limitsOf(mara)).toEqual([]);
});

it('a new user gets the defaults of the organization, which another tenant can neither see nor change', async () => {
  const { id } = await setDefault(20);
  const sam = await addPerson(database.pool, tenantId, 'user', `sam-${id}@one.test`);
  expect(await limitsOf(sam)).toEqual([['month', 20, ofAll]]);
  expect(await as(stranger).listBudgetDefaults()).toEqual([]);
  expect(await as(stranger).listBudgets({ query: {} })).toEqual([]);
  await expect(
    as(stranger).updateBudgetDefault({ params: { id }, body: { limit: 1 } }),
  ).rejects.toMatchObject({ status: 404 });
});

it('the default of a team takes precedence over that of the organization, and the highest of several teams applies', async () => {
  await setDefault(20);
  await setDefault(50, { team_id: platform });
  await setDefault(80, { team_id: research });
  await join(platform);
  expect(await limitsOf(mara)).toEqual([['month', 50, ofPlatform]]);
  await join(research);
  expect(await limitsOf(mara)).toEqual([['month', 80, 'team "Research"']]);
  await leave(research);
  await leave(platform);
  expect(await limitsOf(mara)).toEqual([['month', 20, ofAll]]);
});

it("a member's usage still counts after leaving and joining again", async () => {
  await setDefault(50, { team_id: platform });
  await join(platform);
  const [{ id } = { id: 0 }] = await as(admin).listBudgets({ query: { subject_type: 'user' } });
  await run(
    `INSERT INTO allowances (tenant_id, kind, subject_id, window_start, limit_amount, settled)
     VALUES ($1, 'usd_budget', $2, date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC', 50000000000, 12000000000)`,
    [tenantId, id],
  );
  await leave(platform);
  const limitOf = async () =>
    (await run('SELECT limit_amount::float8 AS limit FROM allowances WHERE subject_id = $1', [id])).rows;
  expect(await limitOf()).toEqual([{ limit: null }]);
  await join(platform);
  expect(await limitOf()).toEqual([{ limit: 50e9 }]);
  expect(await as(admin).listBudgets({ query: { subject_type: 'user' } })).toMatchObject([
    { id, spent: 12, limit: 50 },
  ]);
});

it("a user's own limit overrides a default, which applies again after the limit is deleted", async () => {
  await setDefault(50, { team_id: platform });
  await join(platform);
  const [{ id } = { id: 0 }] = await as(admin).listBudgets({ query: { subject_type: 'user' } });
  const params = { id };
  await expect(as(admin).deleteBudget({ params })).rejects.toMatchObject({ status: 409 });
  await as(admin).updateBudget({ params, body: { limit: 75 } });
  expect(await limitsOf(mara)).toEqual([['month', 75, null]]);
  await as(admin).updateBudgetDefault({
    params: { id: (await as(admin).listBudgetDefaults())[0]!.id },
    body: { limit: 60 },
  });
  expect(await limitsOf(mara)).toEqual([['month', 75, null]]);
  await as(admin).deleteBudget({ params });
  expect(await as(admin).listBudgets({ query: { subject_type: 'user' } })).toMatchObject([
    { id, limit: 60, origin: ofPlatform },
  ]);
  const own = await as(admin).createBudget({
    body: { ...monthly, subject_type: 'user', subject_id: mara.userId, limit: 10 },
  });
  expect(own).toMatchObject({ id, limit: 10, origin: null });
  await leave(platform);
  expect(await limitsOf(mara)).toEqual([['month', 10, null]]);
  await as(admin).deleteBudget({ params });
  expect(await limitsOf(mara)).toEqual([]);
});

it('a budget of a user within a team or for some models applies in addition to a default', async () => {
  await join(platform);
  const subject = { ...monthly, subject_type: 'user', subject_id: mara.userId, limit: 10 } as const;
  await as(admin).createBudget({ body: { ...subject, team_id: platform } });
  await as(admin).createBudget({ body: { ...subject, model_pattern: 'gpt-5*' } });
  await setDefault(50, { team_id: platform });
  expect(await limitsOf(mara)).toEqual([
    ['month', 10, null],
    ['month', 10, null],
    ['month', 50, ofPlatform],
  ]);
});

it('previewBudgetDefault lists the users whose limit changes, with the old and new limit, and changes nothing', async () => {
  const noah = await addPerson(database.pool, tenantId, 'user', 'noah@one.test');
  await setDefault(20);
  await join(platform);
  await join(platform, noah.userId);
  await as(admin).createBudget({
    body: { ...monthly, subject_type: 'user', subject_id: noah.userId, limit: 90 },
  });
  const before = [await limitsOf(mara), await limitsOf(noah), await as(admin).listBudgetDefaults()];
  const preview = (limit: number | null, team_id: number | null) =>
    as(admin).previewBudgetDefault({ body: { ...monthly, team_id, limit } });
  expect(await preview(50, platform)).toMatchObject({
    changed: 1,
    kept: 1,
    users: [
      {
        user_id: mara.userId,
        before: { limit: 20, origin: ofAll },
        after: { limit: 50, origin: ofPlatform },
      },
    ],
  });
  const removed = await preview(null, null);
  expect(removed.users.every(({ after }) => after === null)).toBe(true);
  expect(removed.users.map(({ user_id }) => user_id)).toContain(mara.userId);
  expect([await limitsOf(mara), await limitsOf(noah), await as(admin).listBudgetDefaults()]).toEqual(before);
  await expect(preview(50, 2_147_483_647)).rejects.toMatchObject({ status: 422 });
});

it('createBudgetDefault adds one audit entry for any number of users, and raising one of its budgets adds another', async () => {
  await join(platform);
  const entries = async () =>
    (await run('SELECT object_type, action FROM audit_entries WHERE id > $1 ORDER BY id', [last])).rows;
  const { rows } = await run('SELECT coalesce(max(id), 0)::float8 AS last FROM audit_entries');
  const { last } = rows[0] as { last: number };
  await setDefault(50, { team_id: platform });
  expect(await entries()).toEqual([{ object_type: 'budget_default', action: 'createBudgetDefault' }]);
  const [{ id } = { id: 0 }] = await as(admin).listBudgets({ query: { subject_type: 'user' } });
  const until = new Date(Date.now() + 86_400_000).toISOString();
  await as(admin).raiseBudget({ params: { id }, body: { limit: 70, until, reason: 'a test' } });
  expect(await entries()).toHaveLength(2);
});

it('a member who joins while a default is created gets the default', async () => {
  for (let round = 0; round < 8; round++) {
    await run('DELETE FROM team_members');
    await run('DELETE FROM budget_defaults');
    await Promise.all([join(platform), setDefault(50, { team_id: platform })]);
    expect(await limitsOf(mara)).toEqual([['month', 50, ofPlatform]]);
  }
});

it('createBudgetDefault rejects an unknown team and a second default with the same measure and period', async () => {
  await setDefault(50);
  await expect(setDefault(60)).rejects.toMatchObject({ status: 409 });
  await expect(setDefault(60, { team_id: 2_147_483_647 })).rejects.toMatchObject({ status: 422 });
});

it("a user's own limit also ends the temporarily raised limit of the default that it replaces", async () => {
  await setDefault(50, { team_id: platform });
  await join(platform);
  const [given] = await as(admin).listBudgets({ query: { user_id: mara.userId } });
  const until = new Date(Date.now() + 86_400_000).toISOString();
  await as(admin).raiseBudget({ params: { id: given!.id }, body: { limit: 500, until, reason: 'a launch' } });
  const own = await as(admin).createBudget({
    body: { ...monthly, subject_type: 'user', subject_id: mara.userId, limit: 10 },
  });
  expect(own).toMatchObject({ id: given!.id, limit: 10, effective_limit: 10, raised_until: null });
});
