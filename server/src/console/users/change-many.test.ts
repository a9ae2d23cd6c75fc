import { type Client, type UsersChange, usersRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { syncRegistry } from '#console/provider-registry/sync-registry.ts';
import { createSystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';
import { createUsersHandlers } from './routes.ts';

let database: TestDatabase;
let as: (principal: Principal) => Client<typeof usersRoutes>;
let admin: Principal;
let root: Principal;
let mara: Principal;
let noah: Principal;
let stranger: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
  await syncRegistry(createSystemDatabase(database.pool));
  const passwords = { hash: async (password: string) => `hash of ${password}` };
  const console = createTestConsole(database.pool, usersRoutes, createUsersHandlers({ passwords }));
  as = (principal) => console({ principal });
});
afterAll(() => database.close());

beforeEach(async () => {
  await emptyTables(database, 'tenants');
  const tenantId = await addTenant(database.pool, 'One');
  admin = await addPerson(database.pool, tenantId, 'admin', 'ada@one.test');
  root = await addPerson(database.pool, tenantId, 'super_admin', 'root@one.test');
  mara = await addPerson(database.pool, tenantId, 'user', 'mara@one.test');
  noah = await addPerson(database.pool, tenantId, 'user', 'noah@one.test');
  stranger = await addPerson(database.pool, await addTenant(database.pool, 'Two'), 'user', 'eve@two.test');
});

async function changeEveryone(change: UsersChange): Promise<(string | null)[]> {
  const user_ids = [mara, noah, { userId: 999_999 }, stranger, root, admin].map(({ userId }) => userId);
  const outcomes = await as(admin).changeUsers({ body: { user_ids, change } });
  expect(outcomes.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5]);
  return outcomes.map(({ error }) => error);
}

const select = async (statement: string, ...values: unknown[]) =>
  (await database.pool.query(statement, values)).rows;
const insert = async (statement: string, ...values: unknown[]): Promise<number> =>
  (await select(`${statement} RETURNING id`, ...values))[0].id;
const missing = 'User not found';
const above = 'Only a super administrator may manage a super administrator';

it('changeUsers sets the limits of every user that the caller manages', async () => {
  const change = { kind: 'limits', daily_quota: 5, monthly_quota: null } as const;
  expect(await changeEveryone(change)).toEqual([null, null, missing, missing, above, null]);
  expect(
    await select(
      'SELECT name, daily_quota, monthly_quota, requests_per_hour FROM users WHERE daily_quota = 5 ORDER BY name',
    ),
  ).toEqual(
    ['ada', 'mara', 'noah'].map((name) => ({
      name,
      daily_quota: '5',
      monthly_quota: null,
      requests_per_hour: null,
    })),
  );
});

it('changeUsers blocks and unblocks users, but does not block the caller', async () => {
  const reason = 'Left the company';
  const own = 'You cannot block yourself';
  expect(await changeEveryone({ kind: 'block', reason })).toEqual([null, null, missing, missing, above, own]);
  const blocked = 'SELECT name, blocked_reason FROM users WHERE is_blocked ORDER BY name';
  expect(await select(blocked)).toEqual([
    { name: 'mara', blocked_reason: reason },
    { name: 'noah', blocked_reason: reason },
  ]);
  expect(await changeEveryone({ kind: 'unblock' })).toEqual([null, null, missing, missing, above, null]);
  expect(await select(blocked)).toEqual([]);
});

it('changeUsers adds users to a team, a task and the models of a provider, and reports those who already have them', async () => {
  const team_id = await insert("INSERT INTO teams (tenant_id, name) VALUES ($1, 'Red')", admin.tenantId);
  const task_id = await insert(
    `INSERT INTO tasks (tenant_id, title, description, category, difficulty_level, estimated_hours)
     VALUES ($1, 'Reports', 'Reports', 'coding', 'beginner', 1)`,
    admin.tenantId,
  );
  const llm_provider_id = await insert(
    `INSERT INTO llm_providers (tenant_id, provider_registry_id, provider_instance_name, enabled_models, default_model)
     SELECT $1, id, 'Main', '{gpt-5,o1}', 'o1' FROM provider_registry WHERE provider_key = 'openai'`,
    admin.tenantId,
  );
  const user_ids = [mara.userId, noah.userId, stranger.userId];
  const change = async (one: UsersChange, ids = user_ids) =>
    (await as(admin).changeUsers({ body: { user_ids: ids, change: one } })).map(({ error }) => error);

  expect(await change({ kind: 'team', team_id })).toEqual([null, null, missing]);
  expect(await change({ kind: 'team', team_id }, [mara.userId])).toEqual([
    'This user is already a member of the team',
  ]);
  expect(await change({ kind: 'task', task_id })).toEqual([null, null, 'Please select a user']);
  expect(await change({ kind: 'models', llm_provider_id })).toEqual([null, null, missing]);
  expect(await change({ kind: 'models', llm_provider_id }, [noah.userId])).toEqual([
    'This user already has access to this provider',
  ]);
  for (const table of ['team_members', 'task_assignments', 'user_provider_access'])
    expect(await select(`SELECT user_id FROM ${table} ORDER BY user_id`), table).toEqual([
      { user_id: mara.userId },
      { user_id: noah.userId },
    ]);
});

it('changeUsers rejects a team of another tenant', async () => {
  const team_id = await insert("INSERT INTO teams (tenant_id, name) VALUES ($1, 'Red')", stranger.tenantId);
  const outcomes = await as(admin).changeUsers({
    body: { user_ids: [mara.userId], change: { kind: 'team', team_id } },
  });
  expect(outcomes).toEqual([{ index: 0, error: 'Team not found' }]);
  expect(await select('SELECT FROM team_members')).toEqual([]);
});

it('changeUsers records each user in the audit log', async () => {
  await as(admin).changeUsers({
    body: { user_ids: [mara.userId, noah.userId], change: { kind: 'limits', daily_quota: 9 } },
  });
  const entries = await select(
    "SELECT object_id, after FROM audit_entries WHERE action = 'changeUsers' AND actor_id = $1 ORDER BY id",
    admin.userId,
  );
  expect(entries).toEqual(
    [mara, noah].map(({ userId }) => ({ object_id: String(userId), after: { daily_quota: 9 } })),
  );
});
