import { type Sandbox, startSandbox } from '@sluice/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startWorker } from '../console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { workerVariables } from './attempts.ts';
import { addCaller, type Caller, callerKinds } from './callers.ts';
import { addTask, addTeam, createWorld, type World } from './world.ts';

let database: TestDatabase;
let world: World;
let sandbox: Sandbox;
let worker: RunningServer;
let admin: Caller;
let user: Caller;
let instanceId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  world = await createWorld(database.pool);
  const add = (wanted: string) => addCaller(world, callerKinds.find(({ name }) => name === wanted)!);
  admin = await add('admin');
  user = await add('user');
  sandbox = await startSandbox();
  worker = await startWorker({
    connectionString: database.connectionString,
    sandboxOrigin: sandbox.origin,
    variables: workerVariables,
  });
  instanceId = world.home.instanceId;
  const grant = { user_id: user.userId, llm_provider_id: instanceId, allowed_models: ['sandbox-normal'] };
  const granted = await as(admin, 'POST', '/admin/provider-access/users', grant);
  expect([201, 409], JSON.stringify(granted.body)).toContain(granted.status);
});
afterAll(async () => {
  await worker.close();
  await sandbox.close();
  await database.close();
});

async function send(bearer: string, method: string, path: string, body?: unknown, headers = {}) {
  const response = await fetch(`${worker.origin}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${bearer}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null };
}

const as = (caller: Caller, method: string, path: string, body?: unknown) =>
  send(String(caller.authorization).replace('Bearer ', ''), method, path, body);

const ask = (bearer: string, headers = {}, fields = {}) =>
  send(
    bearer,
    'POST',
    '/chat/completions',
    {
      model: world.home.models.granted,
      messages: [{ role: 'user', content: 'Write a function that sorts a list' }],
      ...fields,
    },
    headers,
  );

let namesCount = 0;
const newName = () => `key ${++namesCount}`;
const createKey = (fields: object = {}) =>
  as(admin, 'POST', '/admin/api-keys', { user_id: user.userId, name: newName(), ...fields });

async function assignTask(): Promise<number> {
  const body = { task_id: await addTask(world, world.home), user_id: user.userId };
  return (await as(admin, 'POST', '/admin/task-assignments', body)).body.id;
}

describe('API keys', () => {
  it('an API key is created, changed, rotated with an overlap in seconds, and revoked', async () => {
    const fields = {
      models: null,
      expires_at: new Date(Date.now() + 86_400_000).toISOString(),
      allowed_networks: ['127.0.0.0/8', '::1/128'],
      labels: { project: 'x' },
    };
    const created = await createKey(fields);
    expect(created.status, created.text).toBe(201);
    const { api_key, key } = created.body;
    expect(key).toMatchObject(fields);
    expect((await ask(api_key)).status).toBe(200);
    const listed = await as(admin, 'GET', '/admin/api-keys');
    expect(listed.body.map(({ id }: { id: number }) => id)).toContain(key.id);
    expect(listed.text).not.toContain(api_key);
    const path = `/admin/api-keys/${key.id}`;
    const changed = await as(admin, 'PUT', path, { name: 'renamed', allowed_networks: null });
    expect([changed.status, changed.body.name, changed.body.allowed_networks]).toEqual([
      200,
      'renamed',
      null,
    ]);
    const rotated = await as(admin, 'POST', `${path}/rotate`, { overlap_seconds: 60 });
    expect(rotated.status, rotated.text).toBe(201);
    for (const secret of [api_key, rotated.body.api_key]) expect((await ask(secret)).status).toBe(200);
    expect((await as(admin, 'DELETE', path)).status).toBe(200);
    expect((await ask(api_key)).status).toBe(401);
  });

  it("an API key's budget remains after a rotation, and also applies to the previous key during the overlap and to its task keys", async () => {
    const { api_key: former, key } = (await createKey()).body;
    const assignment = await assignTask();
    const minted = (await send(former, 'POST', `/user/tasks/${assignment}/keys`, {})).body.api_key;
    const tiny = { measure: 'usd', window: 'total', limit: 0.000000001 };
    const added = await as(admin, 'POST', '/admin/budgets', {
      ...{ subject_type: 'api_key', subject_id: key.id },
      ...tiny,
    });
    expect(added.status, added.text).toBe(201);
    const rotated = await as(admin, 'POST', `/admin/api-keys/${key.id}/rotate`, { overlap_seconds: 60 });
    expect(rotated.status, rotated.text).toBe(201);
    for (const secret of [former, rotated.body.api_key, minted])
      expect((await ask(secret)).body.error?.code).toBe('budget_exceeded');
    const budget = await as(admin, 'GET', `/admin/budgets/${added.body.id}`);
    expect(budget.body.subject_id).toBe(rotated.body.key.id);
    await as(admin, 'DELETE', `/admin/api-keys/${rotated.body.key.id}`);
    expect((await ask(minted)).status).toBe(401);
  });

  it("a primary key's budget remains after the key is regenerated", async () => {
    const path = `/admin/users/${user.userId}/api-key`;
    await as(admin, 'POST', path, {});
    const { rows } = await database.pool.query<{ id: number }>(
      "SELECT id FROM api_keys WHERE user_id = $1 AND kind = 'primary' AND revoked_at IS NULL",
      [user.userId],
    );
    const subject = { subject_type: 'api_key', subject_id: rows[0]!.id };
    const none = { measure: 'parallel_requests', window: 'at_once', limit: 0 };
    const added = await as(admin, 'POST', '/admin/budgets', { ...subject, ...none });
    expect(added.status, added.text).toBe(201);
    const regenerated = await as(admin, 'PUT', `${path}/regenerate`, {});
    expect(regenerated.status, regenerated.text).toBe(200);
    expect((await ask(regenerated.body.api_key)).body.error?.code).toBe('too_many_at_once');
    await as(admin, 'DELETE', `/admin/budgets/${added.body.id}`);
  });

  it('an API key is rejected with 403 outside of its networks and 401 after its expiry, and an invalid network with 422', async () => {
    const outside = await createKey({ allowed_networks: ['203.0.113.0/24'] });
    expect((await ask(outside.body.api_key)).status).toBe(403);
    const expired = await createKey();
    await database.pool.query('UPDATE api_keys SET expires_at = now() WHERE id = $1', [expired.body.key.id]);
    await expect.poll(async () => (await ask(expired.body.api_key)).status).toBe(401);
    for (const allowed_networks of [['203.0.113.0/33'], ['office'], ['300.0.0.1'], ['2001:db8::/129']])
      expect((await createKey({ allowed_networks })).status).toBe(422);
  });

  it('a user can create API keys only if the tenant allows it', async () => {
    const body = { name: newName(), allowed_networks: ['127.0.0.1'] };
    expect((await as(user, 'POST', '/user/api-keys', body)).status).toBe(403);
    await database.pool.query('UPDATE tenants SET users_create_keys = true WHERE id = $1', [world.home.id]);
    const created = await as(user, 'POST', '/user/api-keys', body);
    expect([created.status, created.body.key.allowed_networks]).toEqual([201, ['127.0.0.1/32']]);
    expect((await as(user, 'GET', '/user/api-keys')).status).toBe(200);
  });

  it("a service account of a team works under the team's grants", async () => {
    const team_id = await addTeam(world, world.home);
    const account = await as(admin, 'POST', '/admin/service-accounts', { name: 'deploy', team_id });
    expect([account.status, account.body.team_id]).toEqual([201, team_id]);
    const created = await as(admin, 'POST', '/admin/api-keys', {
      service_account_id: account.body.id,
      name: 'CI',
    });
    const task = { task_id: await addTask(world, world.home), user_id: account.body.id };
    expect((await as(admin, 'POST', '/admin/task-assignments', task)).status).toBe(201);
    expect((await ask(created.body.api_key)).status).toBe(404);
    await as(admin, 'POST', '/admin/provider-access/teams', {
      team_id,
      llm_provider_id: instanceId,
      allowed_models: ['sandbox-normal'],
    });
    expect((await ask(created.body.api_key)).status).toBe(200);
  });
});

describe('task keys', () => {
  const createTaskKey = (id: number, body: object) => as(user, 'POST', `/user/tasks/${id}/keys`, body);
  const listBudgets = async () => (await as(admin, 'GET', '/admin/budgets?limit=200')).body;

  it('a task key has the given expiry in seconds, and is rejected once its assignment is completed', async () => {
    const assignment = await assignTask();
    const created = await createTaskKey(assignment, { expires_in_seconds: 90 });
    expect(created.status, created.text).toBe(201);
    const seconds = (Date.parse(created.body.key.expires_at) - Date.now()) / 1_000;
    expect(seconds).toBeGreaterThan(60);
    expect(seconds).toBeLessThanOrEqual(90);
    expect((await ask(created.body.api_key)).status).toBe(200);
    const completed = await as(user, 'PATCH', `/user/tasks/${assignment}/complete`);
    expect(completed.status, completed.text).toBe(200);
    expect((await ask(created.body.api_key)).status).toBe(401);
  });

  it('budget_usd limits the total cost of a task key in dollars', async () => {
    const assignment = await assignTask();
    const wide = await createTaskKey(assignment, { budget_usd: 25 });
    expect(wide.status, wide.text).toBe(201);
    expect(await listBudgets()).toContainEqual(
      expect.objectContaining({ measure: 'usd', limit: 25, action: 'refuse', resets_at: null }),
    );
    expect((await ask(wide.body.api_key)).status).toBe(200);
    const narrow = await createTaskKey(assignment, { budget_usd: 0.000000001 });
    const refused = await ask(narrow.body.api_key);
    expect([refused.status, refused.body.error.code]).toEqual([429, 'budget_exceeded']);
  });

  it('the budget of an API key also applies to the task keys that it creates, which cannot create others', async () => {
    const { api_key: parent, key } = (await createKey()).body;
    const assignment = await assignTask();
    const budget = { subject_type: 'api_key', subject_id: key.id, measure: 'usd', window: 'total' };
    const added = await as(admin, 'POST', '/admin/budgets', { ...budget, limit: 0.000000001 });
    expect(added.status, added.text).toBe(201);
    const minted = await send(parent, 'POST', `/user/tasks/${assignment}/keys`, {});
    expect(minted.status, minted.text).toBe(201);
    for (const secret of [parent, minted.body.api_key])
      expect((await ask(secret)).body.error?.code).toBe('budget_exceeded');
    expect((await send(minted.body.api_key, 'POST', `/user/tasks/${assignment}/keys`, {})).status).toBe(403);
    await as(admin, 'DELETE', `/admin/api-keys/${key.id}`);
  });

  it('a task key with an invalid budget is not created', async () => {
    const assignment = await assignTask();
    const count = async () => (await as(admin, 'GET', '/admin/api-keys?kind=task&limit=200')).body.length;
    const before = await count();
    for (const budget_usd of [-1, 0.0000000001, 9_000_001, 'much'])
      expect((await createTaskKey(assignment, { budget_usd })).status).toBe(422);
    expect(await count()).toBe(before);
  });

  it('the budget of a revoked task key is deleted when the next task key is created', async () => {
    const assignment = await assignTask();
    const { key } = (await createTaskKey(assignment, { budget_usd: 7 })).body;
    await as(user, 'DELETE', `/user/api-keys/${key.id}`);
    await createTaskKey(assignment, { budget_usd: 8 });
    const limits = (await listBudgets()).map(({ limit }: { limit: number }) => limit);
    expect(limits).toContain(8);
    expect(limits).not.toContain(7);
  });
});

describe('management tokens', () => {
  const createToken = (scopes: readonly string[]) =>
    as(admin, 'POST', '/admin/tokens', {
      name: newName(),
      scopes,
      expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    });

  it('a management token is listed without its secret, and accepted within its scopes only', async () => {
    const created = await createToken(['users:read']);
    expect(created.status, created.text).toBe(201);
    const { token } = created.body;
    expect((await as(admin, 'GET', '/admin/tokens')).text).not.toContain(token);
    expect((await send(token, 'GET', '/admin/api-keys')).status).toBe(200);
    for (const body of [{}, { name: 7 }, []])
      expect((await send(token, 'POST', '/admin/api-keys', body)).status).toBe(403);
  });

  it('a management token cannot create tokens or call models', async () => {
    const { token } = (await createToken(['users:read', 'api-keys:write'])).body;
    const wider = { name: newName(), scopes: ['users:write'] };
    expect((await send(token, 'POST', '/admin/tokens', wider)).status).toBe(403);
    const answer = await ask(token);
    expect([401, 403]).toContain(answer.status);
  });

  it('the OpenAPI document lists the scope of operations that accept management tokens', async () => {
    const { paths } = (await send('', 'GET', '/openapi.json')).body;
    const scopesOf = (path: string, method: string) =>
      paths[`/api/v1${path}`][method].security.flatMap((one: object) => Object.values(one).flat());
    expect(scopesOf('/admin/api-keys', 'post')).toEqual(['api-keys:write']);
    expect(scopesOf('/admin/users', 'get')).toEqual(['users:read']);
    expect(scopesOf('/admin/statements', 'get')).toEqual(['analytics:read']);
  });
});

describe('labels', () => {
  it('log rows have the labels of their request, and a filter by several labels requires all of them', async () => {
    await database.pool.query('UPDATE tenants SET accepts_request_labels = true WHERE id = $1', [
      world.home.id,
    ]);
    const { api_key } = (await createKey({ labels: { team: 'blue' } })).body;
    await expect
      .poll(async () => (await ask(api_key, { 'x-sluice-labels': 'stage=ready' })).status)
      .toBe(200);
    expect((await ask(api_key, { 'x-sluice-labels': 'cost_center=4711,project=x' })).status).toBe(200);
    expect((await ask(api_key, { 'x-sluice-labels': 'cost_center=4711,project=y' })).status).toBe(200);
    const list = async (query: string) => (await as(admin, 'GET', `/admin/logs?${query}`)).body;
    const both = 'label=cost_center%3D4711&label=project%3Dx';
    await expect.poll(async () => (await list('label=cost_center%3D4711')).length).toBe(2);
    expect(await list(both)).toEqual([
      expect.objectContaining({ labels: { team: 'blue', cost_center: '4711', project: 'x' } }),
    ]);
    expect(await list('label=cost_center&label=project')).toHaveLength(2);
    expect(await list('label=project%3Dx&label=project%3Dy')).toEqual([]);
    expect(await list('label=cost_center&label=unused')).toEqual([]);
    expect((await as(admin, 'GET', '/admin/logs?label=Cost%20Center')).status).toBe(422);
  });
});

describe('statements', () => {
  it('a statement is JSON, or CSV with format=csv', async () => {
    const month = new Date().toISOString().slice(0, 7);
    const path = `/admin/statements?month=${month}`;
    const statement = await as(admin, 'GET', path);
    expect([statement.status, statement.body.month]).toEqual([200, month]);
    const filtered = await as(admin, 'GET', `${path}&team_id=1&team_id=2&label=cost_center%3D4711`);
    expect([filtered.status, filtered.body.is_filtered]).toEqual([200, true]);
    const file = await as(admin, 'GET', `${path}&format=csv`);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(file.headers.get('content-disposition')).toContain(`sluice-statement-${month}`);
    expect(file.text).toContain(`\r\n${month},total,`);
    for (const query of ['', 'month=2026-13', 'month=2026-11&format=xml'])
      expect((await as(admin, 'GET', `/admin/statements?${query}`)).status).toBe(422);
  });
});
