import type { ServiceAccount } from '@sluice/contract';
import { type Sandbox, startSandbox } from '@sluice/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSystemDatabase } from '#db/system.ts';
import { createNotifyExpiringKeys } from '#jobs/notify-expiring-keys.ts';
import { runAlone } from '#jobs/run-alone.ts';
import { createMailbox } from '#mail/mailbox.ts';
import { createLogger } from '#platform/logger.ts';
import { type RunningServer, startWorker, testKeyring } from '../console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { workerVariables } from './attempts.ts';
import { addCaller, addScimToken, type Caller, callerKinds } from './callers.ts';
import { addTask, addTeam, createWorld, type World } from './world.ts';

let database: TestDatabase;
let world: World;
let sandbox: Sandbox;
let worker: RunningServer;
let creator: Caller;
let other: Caller;
let teamId: number;
let teamAdmin: Caller;

beforeAll(async () => {
  database = await createTestDatabase();
  world = await createWorld(database.pool);
  const add = (wanted: string) => addCaller(world, callerKinds.find(({ name }) => name === wanted)!);
  creator = await add('admin');
  other = await add('admin');
  teamAdmin = await add('user');
  teamId = await addTeam(world, world.home);
  await database.pool.query(
    "INSERT INTO team_members (tenant_id, team_id, user_id, role) VALUES ($1, $2, $3, 'admin')",
    [world.home.id, teamId, teamAdmin.userId],
  );
  sandbox = await startSandbox();
  worker = await startWorker({
    connectionString: database.connectionString,
    sandboxOrigin: sandbox.origin,
    variables: workerVariables,
  });
});
afterAll(async () => {
  await worker.close();
  await sandbox.close();
  await database.close();
});

async function call(caller: Pick<Caller, 'authorization'>, method: string, path: string, body?: object) {
  const response = await fetch(`${worker.origin}/api/v1${path}`, {
    method,
    headers: {
      authorization: caller.authorization ?? '',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? null : JSON.parse(text),
  };
}

/** Tables that refer to users but contain no sign-in credentials. */
const othersOfUsers = [
  'api_keys',
  'appeals',
  'budget_raise_requests',
  'budgets',
  'chats',
  'invitations',
  'llm_comparison_votes',
  'llm_comparisons',
  'management_tokens',
  'provider_refusals',
  'score_events',
  'task_assignments',
  'tasks',
  'team_members',
  'user_preferences',
  'user_provider_access',
];

let accountsCount = 0;
async function createAccount(fields: object = {}): Promise<ServiceAccount> {
  const body = { name: `deploy ${++accountsCount}`, ...fields };
  const created = await call(creator, 'POST', '/admin/service-accounts', body);
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return created.body;
}

async function createKey(id: number, fields: object = {}): Promise<string> {
  const body = { service_account_id: id, name: 'CI', ...fields };
  const created = await call(creator, 'POST', '/admin/api-keys', body);
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return created.body.api_key;
}

const ask = (apiKey: string) =>
  call({ authorization: `Bearer ${apiKey}` }, 'POST', '/chat/completions', {
    model: world.home.models.granted,
    messages: [{ role: 'user', content: 'Tell me a joke about cats' }],
  });

async function readUser(id: number) {
  const { rows } = await database.pool.query('SELECT * FROM users WHERE id = $1', [id]);
  return rows[0];
}

describe('service accounts', () => {
  it("a service account works under its team's grants and its task, without a deviation score, after its creator has left", async () => {
    const { id } = await createAccount({ team_id: teamId });
    await call(creator, 'POST', '/admin/provider-access/teams', {
      team_id: teamId,
      llm_provider_id: world.home.instanceId,
      allowed_models: ['sandbox-normal'],
    });
    const task = { task_id: await addTask(world, world.home), user_id: id };
    const missing = async () =>
      (await call(creator, 'GET', `/admin/service-accounts/${id}`)).body.missing as string[];
    expect(await missing()).toEqual(['task']);
    expect((await call(creator, 'POST', '/admin/task-assignments', task)).status).toBe(201);
    expect(await missing()).toEqual([]);
    const keys = [await createKey(id), await createKey(id, { name: 'second' })];
    const token = await call(creator, 'POST', '/admin/tokens', {
      service_account_id: id,
      name: 'own usage',
      scopes: ['account:read'],
    });
    expect(token.body).toMatchObject({ user_id: id, scopes: ['account:read'] });
    const leaving = await call(other, 'PUT', `/admin/users/${creator.userId}`, { is_active: false });
    expect(leaving.status, JSON.stringify(leaving.body)).toBe(200);
    expect((await call(creator, 'GET', '/auth/me')).status).toBe(401);
    for (const apiKey of keys) {
      const answer = await ask(apiKey);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      expect(answer.headers.get('x-sluice-intent')).not.toBeNull();
      expect(answer.headers.get('x-sluice-score')).toBeNull();
    }
    const bearer = { authorization: `Bearer ${token.body.token}` };
    expect((await call(bearer, 'GET', '/user/profile')).status).toBe(200);
    await database.pool.query('UPDATE users SET is_active = true WHERE id = $1', [creator.userId]);
    creator = { ...creator, authorization: other.authorization };
    expect((await call(creator, 'GET', `/admin/service-accounts/${id}`)).body).toMatchObject({
      team_id: teamId,
      role: 'user',
      scores_deviation: false,
      keys_count: 2,
      tokens_count: 1,
    });
  });

  it('a service account has no password, session, second factor or reset link', async () => {
    const { id } = await createAccount();
    const { email } = await readUser(id);
    const password = { password: 'correct horse battery' };
    expect((await call(creator, 'POST', `/admin/users/${id}/change-password`, password)).status).toBe(409);
    expect((await call(creator, 'DELETE', `/admin/users/${id}/second-factor`)).status).toBe(409);
    await call({ authorization: null }, 'POST', '/auth/password-resets', { email });
    const form = new URLSearchParams({ username: email, ...password });
    const login = await fetch(`${worker.origin}/api/v1/auth/login`, { method: 'POST', body: form });
    expect(login.status).toBe(401);
    for (const table of ['password_resets', 'sessions']) {
      const { rowCount } = await database.pool.query(`SELECT FROM ${table} WHERE user_id = $1`, [id]);
      expect([table, rowCount]).toEqual([table, 0]);
    }
    const { rowCount } = await database.pool.query('SELECT FROM mails WHERE to_address = $1', [email]);
    expect(rowCount).toBe(0);
  });

  it('a service account does not count toward user limits, and user routes cannot change its role and email address', async () => {
    const { id } = await createAccount();
    await database.pool.query('UPDATE tenants SET user_limit = 0, admin_limit = 0 WHERE id = $1', [
      world.home.id,
    ]);
    await createAccount({ role: 'admin' });
    const user = await call(creator, 'POST', '/admin/users', {
      email: 'seat@home-marker.test',
      name: 'Seat',
      password: 'correct horse battery',
      role_id: 3,
    });
    expect(user.status).toBe(422);
    for (const is_active of [false, true]) {
      expect((await call(creator, 'PATCH', `/admin/service-accounts/${id}`, { is_active })).status).toBe(200);
    }
    await database.pool.query('UPDATE tenants SET user_limit = NULL, admin_limit = NULL WHERE id = $1', [
      world.home.id,
    ]);
    for (const change of [{ role_id: 2 }, { email: 'person@home-marker.test' }]) {
      expect((await call(creator, 'PUT', `/admin/users/${id}`, change)).status).toBe(409);
    }
    expect((await call(creator, 'PUT', `/admin/users/${id}`, { daily_quota: 5 })).body).toMatchObject({
      daily_quota: 5,
      kind: 'service',
    });
  });

  it('a service account of a team cannot have the role admin, and moves to the tenant when its team is deleted', async () => {
    const team_id = await addTeam(world, world.home);
    const refused = await call(creator, 'POST', '/admin/service-accounts', {
      name: 'mighty',
      role: 'admin',
      team_id,
    });
    expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ['body', 'role']]);
    const { id } = await createAccount({ team_id });
    await call(creator, 'DELETE', `/admin/teams/${team_id}`);
    expect((await call(creator, 'GET', `/admin/service-accounts/${id}`)).body).toMatchObject({
      team_id: null,
    });
  });

  it('a deleted service account is not found as account or user, its keys and tokens are rejected, and its name is free', async () => {
    const { id, name } = await createAccount({ role: 'admin' });
    const apiKey = await createKey(id);
    const { body } = await call(creator, 'POST', '/admin/tokens', {
      service_account_id: id,
      name: 'users',
      scopes: ['users:read'],
    });
    const bearer = { authorization: `Bearer ${body.token}` };
    expect((await call(bearer, 'GET', '/admin/users')).status).toBe(200);
    expect((await ask(apiKey)).status).toBe(200);
    expect((await call(creator, 'DELETE', `/admin/service-accounts/${id}`)).status).toBe(204);
    expect((await call(bearer, 'GET', '/admin/users')).status).toBe(401);
    expect((await ask(apiKey)).status).toBe(401);
    for (const path of [`/admin/service-accounts/${id}`, `/admin/users/${id}`]) {
      expect([path, (await call(creator, 'GET', path)).status]).toEqual([path, 404]);
    }
    expect((await call(creator, 'PUT', `/admin/users/${id}`, { is_active: true })).status).toBe(404);
    await createAccount({ name });
  });

  it('a service account is hidden from SCIM, which does not remove it from its team', async () => {
    const { id } = await createAccount({ team_id: teamId });
    const scim = { authorization: `Bearer ${await addScimToken(world, world.home)}` };
    const callScim = async (method: string, path: string, body?: object) => {
      const response = await fetch(`${worker.origin}/scim/v2${path}`, {
        method,
        headers: { ...scim, 'content-type': 'application/scim+json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: response.status, text: await response.text() };
    };
    expect((await callScim('GET', `/Users/${id}`)).status).toBe(404);
    const { text } = await callScim('GET', `/Groups/${teamId}`);
    const { displayName, members } = JSON.parse(text);
    expect(members.map(({ value }: { value: string }) => value)).toEqual([String(teamAdmin.userId)]);
    const schemas = ['urn:ietf:params:scim:schemas:core:2.0:Group'];
    const replaced = await callScim('PUT', `/Groups/${teamId}`, { schemas, displayName, members: [] });
    expect(replaced.status, replaced.text).toBe(200);
    const { rows } = await database.pool.query('SELECT user_id FROM team_members WHERE team_id = $1', [
      teamId,
    ]);
    expect(rows.map(({ user_id }) => user_id)).toContain(id);
    await database.pool.query(
      "INSERT INTO team_members (tenant_id, team_id, user_id, role) VALUES ($1, $2, $3, 'admin')",
      [world.home.id, teamId, teamAdmin.userId],
    );
  });

  it.each([
    ['the administrators of its team, if a team owns it', () => teamId, () => [teamAdmin.email]],
    ['the administrators of the tenant otherwise', () => null, () => [creator.email, other.email]],
  ])('expiring keys of a service account are reported to %s', async (_, ownerOf, recipientsOf) => {
    const { id, name } = await createAccount({ team_id: ownerOf() });
    await createKey(id, { expires_at: new Date(Date.now() + 10 * 86_400_000).toISOString() });
    await database.pool.query(
      "UPDATE api_keys SET created_at = now() - interval '9 days', expires_at = now() + interval '1 day' WHERE user_id = $1",
      [id],
    );
    // The worker runs the same job. Whichever job runs first writes the mails.
    const mailbox = createMailbox({ keyring: testKeyring, hasServer: true });
    const job = createNotifyExpiringKeys({ mailbox, publicUrl: 'https://llm.example.com' });
    await runAlone(createSystemDatabase(database.pool), job, createLogger('silent'));
    const { rows } = await database.pool.query('SELECT to_address FROM mails WHERE subject LIKE $1', [
      `%service account ${name} expires%`,
    ]);
    const recipients = rows.map(({ to_address }) => to_address);
    expect(recipients).toEqual(expect.arrayContaining(recipientsOf()));
    expect(recipients).not.toContain((await readUser(id)).email);
  });

  it('every table with sign-in credentials rejects a service account', async () => {
    const { id } = await createAccount();
    const { rows } = await database.pool.query<{ name: string }>(
      `SELECT DISTINCT conrelid::regclass::text AS name FROM pg_constraint
       WHERE contype = 'f' AND confrelid = 'users'::regclass ORDER BY 1`,
    );
    const guarded = await database.pool.query<{ name: string }>(
      "SELECT tgrelid::regclass::text AS name FROM pg_trigger WHERE tgname LIKE '%\\_refuse\\_service\\_account' ORDER BY 1",
    );
    const withoutSignIn = rows
      .map(({ name }) => name)
      .filter((name) => !guarded.rows.some((row) => row.name === name));
    expect(withoutSignIn).toEqual(othersOfUsers);
    for (const columns of [
      "password_hash = 'x'",
      "account_kind = 'person'",
      'has_second_factor = true',
      'role_id = 1',
    ]) {
      const change = database.pool.query(`UPDATE users SET ${columns} WHERE id = $1`, [id]);
      await expect(change, columns).rejects.toMatchObject({ code: '23514' });
    }
    const session = database.pool.query(
      `INSERT INTO sessions (id, tenant_id, user_id, address, user_agent, expires_at)
       VALUES (gen_random_uuid(), $1, $2, '', '', now() + interval '1 hour')`,
      [world.home.id, id],
    );
    await expect(session).rejects.toThrow('a service account cannot sign in');
  });
});
