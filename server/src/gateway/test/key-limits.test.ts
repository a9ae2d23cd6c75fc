import { apiKeyDialects } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import type { KeyColumns } from '#test/database/seed.ts';
import { dialectNames, dialects } from '#test/requests/dialects.ts';
import { sendRaw } from '#test/requests/raw-request.ts';

const model = 'sandbox-normal';
const other = 'sandbox-echo';
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({
    env: { SLUICE_TRUSTED_PROXIES: '127.0.0.1/32,::1/128' },
    async seed(seed) {
      await seed.addInstance({ name: 'further', models: [other], aliases: { echo: other } });
    },
  });
});
afterAll(() => gateway.stop());

let peopleCount = 0;

async function addKey(
  limits: KeyColumns,
  role: 'admin' | 'user' = 'admin',
): Promise<{ apiKey: string; userId: number }> {
  const person = await gateway.seed.addPerson({ name: `limited-${++peopleCount}`, role });
  const apiKey = await gateway.seed.addApiKey(person, undefined, { kind: 'named', ...limits });
  return { apiKey, userId: person.userId };
}

const readMessage = (body: string): string => JSON.parse(body).error.message;

const ask = (
  apiKey: string,
  dialect: (typeof dialectNames)[number],
  { model: name = model, headers = {} }: { model?: string; headers?: Record<string, string> } = {},
) => {
  const { path, body } = dialects[dialect]({ model: name, stream: false, content: 'Hello' });
  return sendRaw(gateway.port, {
    path,
    headers: { authorization: `Bearer ${apiKey}`, ...headers },
    body: JSON.stringify(body),
  });
};

it('dialectNames contains every dialect of the contract', () => {
  expect(dialectNames.toSorted()).toEqual([...apiKeyDialects].toSorted());
});

describe.each(dialectNames)('a restricted key in %s', (dialect) => {
  it('a key restricted to networks works only from these networks', async () => {
    const { apiKey } = await addKey({ networks: ['203.0.113.0/24', '2001:db8::/32'] });
    const from = (address: string) => ask(apiKey, dialect, { headers: { 'x-forwarded-for': address } });
    for (const address of ['203.0.113.9', '2001:db8::1', '::ffff:203.0.113.1']) {
      expect((await from(address)).status, address).toBe(200);
    }
    for (const address of ['198.51.100.1', '2001:db9::1', '203.0.113.9, 198.51.100.1']) {
      const { status, body } = await from(address);
      expect(status, address).toBe(403);
      expect(readMessage(body)).toMatch(/may not be used from .*\. Call from an allowed network/);
    }
    expect((await ask(apiKey, dialect)).status).toBe(403);
  });

  it('a key whose network list contains no valid network is rejected from every address', async () => {
    const { apiKey } = await addKey({ networks: ['nowhere', '203.0.113.0/99'] });
    expect((await ask(apiKey, dialect, { headers: { 'x-forwarded-for': '203.0.113.1' } })).status).toBe(403);
  });

  it('a key restricted to protocols works only with these protocols', async () => {
    const { apiKey } = await addKey({ dialects: [dialect] });
    for (const name of dialectNames) {
      const { status, body } = await ask(apiKey, name);
      expect([name, status]).toEqual([name, name === dialect ? 200 : 403]);
      if (name !== dialect) expect(readMessage(body)).toContain(`It is limited to ${dialect}`);
    }
    const models = await fetch(`${gateway.origin}/api/v1/models`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    expect(models.status).toBe(200);
  });

  it('a key restricted to models works only with these models, by name or alias', async () => {
    const { apiKey } = await addKey({ models: [other] });
    for (const name of [other, 'echo'])
      expect((await ask(apiKey, dialect, { model: name })).status).toBe(200);
    const { status, body } = await ask(apiKey, dialect);
    expect(status).toBe(404);
    expect(readMessage(body)).toContain(
      `The model '${model}' is not among the models that this API key is limited to.`,
    );
  });

  it('a key does not give access to a model that its owner may not use', async () => {
    const { apiKey } = await addKey({ models: [other] }, 'user');
    expect((await ask(apiKey, dialect, { model: other })).status).toBe(404);
  });
});

it('the model list of a key contains only its models', async () => {
  const { apiKey } = await addKey({ models: [other] });
  const answer = await fetch(`${gateway.origin}/api/v1/models`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const { data } = (await answer.json()) as { data: { id: string }[] };
  expect(data.map(({ id }) => id).toSorted()).toEqual(['echo', other]);
});

describe('the task of a key', () => {
  async function addTaskKey(kind: 'named' | 'task') {
    const person = await gateway.seed.addPerson({ name: `tasked-${++peopleCount}` });
    const { rows } = await gateway.pool.query<{ id: number }>(
      `WITH task AS (
         INSERT INTO tasks (tenant_id, title, description, category, difficulty_level, estimated_hours)
         SELECT $1, 'A task', 'A task of the tests', 'coding', 'beginner', 1 FROM generate_series(1, 2) RETURNING id
       )
       INSERT INTO task_assignments (tenant_id, task_id, user_id) SELECT $1, id, $2 FROM task RETURNING task_id AS id`,
      [person.tenantId, person.userId],
    );
    const [taskId = 0, otherId = 0] = rows.map(({ id }) => id);
    const apiKey = await gateway.seed.addApiKey(person, undefined, { kind, task_id: taskId });
    return { apiKey, taskId, otherId };
  }

  async function taskOf(apiKey: string, headers: Record<string, string>) {
    const clientRequestId = `task-${++peopleCount}`;
    const sent = { ...headers, 'x-request-id': clientRequestId };
    expect((await ask(apiKey, 'openai-chat', { headers: sent })).status).toBe(200);
    return (await gateway.waitForRowOf(clientRequestId)).task_id;
  }

  it('a request uses the default task of its key unless it names another task', async () => {
    const { apiKey, taskId, otherId } = await addTaskKey('named');
    expect(await taskOf(apiKey, {})).toBe(taskId);
    expect(await taskOf(apiKey, { 'x-task-id': String(otherId) })).toBe(otherId);
  });

  it('a task key works only for its task', async () => {
    const { apiKey, taskId, otherId } = await addTaskKey('task');
    expect(await taskOf(apiKey, {})).toBe(taskId);
    expect(await taskOf(apiKey, { 'x-task-id': String(taskId) })).toBe(taskId);
    const { status, body } = await ask(apiKey, 'openai-chat', { headers: { 'x-task-id': String(otherId) } });
    expect(status).toBe(404);
    expect(readMessage(body)).toContain(`This API key is limited to task ${taskId}.`);
  });
});

it('the last use of a key is stored with its time, address and model', async () => {
  const { apiKey, userId } = await addKey({});
  const headers = { 'x-forwarded-for': '203.0.113.9', 'x-request-id': 'last-use' };
  await ask(apiKey, 'openai-chat', { headers });
  await gateway.waitForRowOf('last-use');
  const { rows } = await gateway.pool.query(
    `SELECT last_used_at IS NOT NULL AS is_used, last_used_address, last_used_model FROM api_keys
     WHERE user_id = $1 AND kind = 'named'`,
    [userId],
  );
  expect(rows).toEqual([{ is_used: true, last_used_address: '203.0.113.9', last_used_model: model }]);
});

it('key restrictions are checked without the database', async () => {
  const { apiKey } = await addKey({
    networks: ['203.0.113.0/24'],
    models: [model],
    dialects: ['openai-chat'],
  });
  const from = (address: string, name = model) =>
    ask(apiKey, 'openai-chat', { model: name, headers: { 'x-forwarded-for': address } });
  expect((await from('203.0.113.9')).status).toBe(200);
  gateway.databaseProxy.cut();
  expect((await from('203.0.113.9')).status).toBe(200);
  expect((await from('198.51.100.1')).status).toBe(403);
  expect((await from('203.0.113.9', other)).status).toBe(404);
});
