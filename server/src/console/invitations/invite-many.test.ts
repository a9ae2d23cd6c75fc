import { bulkRowsMax, type Client, invitationsRoutes, outboxRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createOutboxHandlers } from '#console/outbox/routes.ts';
import { syncRegistry } from '#console/provider-registry/sync-registry.ts';
import { createSystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { createMailbox } from '#mail/mailbox.ts';
import { createKeyring } from '#platform/keyring.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';
import { createInvitationsHandlers } from './routes.ts';

const keyring = createKeyring('test');
const publicUrl = 'https://sluice.one.test';

let database: TestDatabase;
let as: (principal?: Principal) => Client<typeof invitationsRoutes>;
let outboxOf: (principal: Principal) => Client<typeof outboxRoutes>;
let admin: Principal;
let stranger: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
  const { pool } = database;
  await syncRegistry(createSystemDatabase(pool));
  const handlers = createInvitationsHandlers({
    database: createSystemDatabase(pool),
    keyring,
    passwords: { hash: async (password: string) => `hash of ${password}` },
    clock: () => Date.now(),
    mailbox: createMailbox({ keyring, hasServer: false }),
    publicUrl,
  });
  const invitations = createTestConsole(pool, invitationsRoutes, handlers);
  as = (principal) => invitations(principal ? { principal } : {});
  const outbox = createTestConsole(
    pool,
    outboxRoutes,
    createOutboxHandlers({ keyring, publicUrl, hasServer: false }),
  );
  outboxOf = (principal) => outbox({ principal });
});
afterAll(() => database.close());

beforeEach(async () => {
  await emptyTables(database, 'tenants', 'login_attempts', 'outbound_counts');
  admin = await addPerson(database.pool, await addTenant(database.pool, 'One'), 'admin', 'ada@one.test');
  stranger = await addPerson(database.pool, await addTenant(database.pool, 'Two'), 'admin', 'eve@two.test');
});

const inviteMany = (...invitations: Record<string, unknown>[]) =>
  as(admin).createInvitations({ body: { invitations } });
const row = (email: string, more: Record<string, unknown> = {}) => ({ email, role: 'user', ...more });
const select = async (statement: string, ...values: unknown[]) =>
  (await database.pool.query(statement, values)).rows;
const insert = async (statement: string, ...values: unknown[]): Promise<number> =>
  (await select(`${statement} RETURNING id`, ...values))[0].id;

const addTeam = ({ tenantId }: Principal) =>
  insert("INSERT INTO teams (tenant_id, name) VALUES ($1, 'Red')", tenantId);
const addTask = ({ tenantId }: Principal) =>
  insert(
    `INSERT INTO tasks (tenant_id, title, description, category, difficulty_level, estimated_hours)
     VALUES ($1, 'Reports', 'Reports', 'coding', 'beginner', 1)`,
    tenantId,
  );
const addInstance = ({ tenantId }: Principal) =>
  insert(
    `INSERT INTO llm_providers (tenant_id, provider_registry_id, provider_instance_name, enabled_models, default_model)
     SELECT $1, id, 'Main', '{gpt-5,o1}', 'o1' FROM provider_registry WHERE provider_key = 'openai'`,
    tenantId,
  );

async function acceptNewest(email: string): Promise<number> {
  const [mail] = await outboxOf(admin).listMails({});
  const token = mail?.link?.replace(`${publicUrl}/invitation/`, '') ?? '';
  await as().acceptInvitation({ params: { token }, body: { name: 'Mara', password: 'a good password' } });
  return (await select('SELECT id FROM users WHERE email = $1', email))[0].id;
}

it('createInvitations invites every valid row and reports the error of each invalid row', async () => {
  const strange = {
    team: await addTeam(stranger),
    task: await addTask(stranger),
    instance: await addInstance(stranger),
  };
  expect(
    await inviteMany(
      row('mara@one.test'),
      row('not an address'),
      row('eve@two.test'),
      row('noah@one.test', { role: 'super_admin' }),
      row('MARA@one.test'),
      row('kim@one.test', { team_id: strange.team }),
      row('kim@one.test', { task_id: strange.task }),
      row('kim@one.test', { llm_provider_id: strange.instance }),
      row('kim@one.test', { daily_quota: 0 }),
      row('kim@one.test', { colour: 'red' }),
      row('kim@one.test'),
    ),
  ).toEqual([
    { index: 0, error: null },
    { index: 1, error: 'Please enter a valid email' },
    { index: 2, error: 'A user with this email already exists' },
    { index: 3, error: 'Only a super administrator may assign the role super_admin' },
    { index: 4, error: 'This user already has a pending invitation. Resend it instead.' },
    { index: 5, error: 'Team not found' },
    { index: 6, error: 'Task not found' },
    { index: 7, error: 'Provider not found' },
    { index: 8, error: 'Daily quota must be at least 1' },
    { index: 9, error: expect.stringContaining('colour') },
    { index: 10, error: null },
  ]);
  const invited = await as(admin).listInvitations({ query: {} });
  expect(invited.map(({ email }) => email)).toEqual(['kim@one.test', 'mara@one.test']);
  expect(await outboxOf(admin).listMails({})).toHaveLength(2);
});

it('createInvitations counts seats and mails like single invitations', async () => {
  await database.pool.query('UPDATE tenants SET user_limit = 2 WHERE id = $1', [admin.tenantId]);
  const full = await inviteMany(row('a@one.test'), row('b@one.test'), row('c@one.test'));
  expect(full.map(({ error }) => error)).toEqual([
    null,
    null,
    expect.stringContaining('Your plan allows 2 users: 0 active and 2 invited'),
  ]);
  await database.pool.query('UPDATE tenants SET user_limit = NULL');
  await database.pool.query("UPDATE outbound_counts SET used = 119 WHERE scope = 'actor'");
  const limited = await inviteMany(row('d@one.test'), row('e@one.test'));
  expect(limited.map(({ error }) => error)).toEqual([
    null,
    expect.stringContaining('Limit for invitation mails of your account reached'),
  ]);
});

it('createInvitations rejects more than 500 rows and an empty list', async () => {
  const rows = Array.from({ length: bulkRowsMax + 1 }, (_, place) => row(`m${place}@one.test`));
  await expect(inviteMany(...rows)).rejects.toThrow('500');
  await expect(inviteMany()).rejects.toThrow('too_small');
  expect(await as(admin).listInvitations({ query: {} })).toEqual([]);
});

it('acceptInvitation gives the account the limits, task, team and models of its invitation', async () => {
  const team_id = await addTeam(admin);
  const task_id = await addTask(admin);
  const llm_provider_id = await addInstance(admin);
  const access = {
    daily_quota: 7,
    monthly_quota: null,
    task_id,
    team_id,
    llm_provider_id,
    has_api_access: true,
  };
  await inviteMany(row('mara@one.test', access));
  const userId = await acceptNewest('mara@one.test');
  expect(
    await select('SELECT daily_quota, monthly_quota, requests_per_hour FROM users WHERE id = $1', userId),
  ).toEqual([{ daily_quota: '7', monthly_quota: null, requests_per_hour: '100' }]);
  expect(await select('SELECT team_id FROM team_members WHERE user_id = $1', userId)).toEqual([{ team_id }]);
  expect(
    await select(
      'SELECT llm_provider_id, allowed_models FROM user_provider_access WHERE user_id = $1',
      userId,
    ),
  ).toEqual([{ llm_provider_id, allowed_models: ['gpt-5', 'o1'] }]);
  const tasks = await select(
    'SELECT is_dummy_task FROM task_assignments JOIN tasks ON tasks.id = task_id WHERE task_assignments.user_id = $1 ORDER BY is_dummy_task',
    userId,
  );
  expect(tasks).toEqual([{ is_dummy_task: false }, { is_dummy_task: true }]);
});

it('acceptInvitation skips access that is no longer possible', async () => {
  const team_id = await addTeam(admin);
  const task_id = await addTask(admin);
  await inviteMany(row('mara@one.test', { team_id, task_id, daily_quota: 7 }));
  await database.pool.query('DELETE FROM teams');
  await database.pool.query('UPDATE tasks SET is_active = false');
  const userId = await acceptNewest('mara@one.test');
  expect(await select('SELECT daily_quota FROM users WHERE id = $1', userId)).toEqual([{ daily_quota: '7' }]);
  expect(await select('SELECT FROM team_members WHERE user_id = $1', userId)).toEqual([]);
  expect(await select('SELECT FROM task_assignments WHERE user_id = $1', userId)).toEqual([]);
});
