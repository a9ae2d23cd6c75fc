import { setTimeout as pause } from 'node:timers/promises';
import { type Sandbox, startSandbox } from '@sluice/sandbox';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signSessionToken } from '#platform/tokens.ts';
import { addApiKey } from '#test/access/callers.ts';
import { type RunningServer, startWorker, testKeyring } from '#test/console/console-server.ts';
import { type ScimCaller, type ScimServer, startScimServer } from '#test/console/scim-server.ts';

const paced = 'sandbox-normal:tokens=6000,interval_ms=5';
const endLimitMs = 5_000;

let sandbox: Sandbox;
let server: ScimServer;
let otherNode: RunningServer;
let idp: ScimCaller;

beforeAll(async () => {
  sandbox = await startSandbox();
  server = await startScimServer({ sandboxOrigin: sandbox.origin });
  const { connectionString } = server.world.pool.options;
  otherNode = await startWorker({ connectionString: connectionString ?? '', sandboxOrigin: sandbox.origin });
  idp = await server.connect();
  const { home } = server.world;
  await server.world.pool.query(
    `UPDATE llm_providers SET enabled_models = enabled_models || ARRAY[$2::text], model_aliases = model_aliases || jsonb_build_object('paced', $2::text)
     WHERE id = $1`,
    [home.instanceId, paced],
  );
});
afterAll(async () => {
  await otherNode.close();
  await server.close();
  await sandbox.close();
});

async function addSignedIn() {
  const { pool, home } = server.world;
  const id = Number(await server.addUser(home));
  await pool.query(
    'UPDATE user_provider_access SET allowed_models = allowed_models || ARRAY[$2::text] WHERE user_id = $1',
    [id, paced],
  );
  const sessionId = crypto.randomUUID();
  await pool.query(
    `INSERT INTO sessions (id, tenant_id, user_id, address, user_agent, expires_at)
     VALUES ($1, $2, $3, '192.0.2.1', 'test', now() + interval '1 hour')`,
    [sessionId, home.id, id],
  );
  const claims = { userId: id, sessionId, tokenVersion: 1 };
  const session = await signSessionToken(testKeyring.sessionKey, claims, Date.now());
  return { id, session, apiKey: await addApiKey(server.world, home, id, ['completions', 'models']) };
}

const statusOf = async (node: RunningServer, path: string, token: string) =>
  (await fetch(node.origin + path, { headers: { authorization: `Bearer ${token}` } })).status;

/** Receiving the key alone is not sufficient. */
async function isOffered(node: RunningServer, model: string, apiKey: string): Promise<boolean> {
  const response = await fetch(`${node.origin}/api/v1/models`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  return (await response.text()).includes(`"${model}"`);
}

async function until(condition: () => Promise<boolean>): Promise<number> {
  const startedMs = performance.now();
  while (!(await condition())) await pause(10);
  return performance.now() - startedMs;
}

async function openStream(apiKey: string) {
  const response = await fetch(`${otherNode.origin}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'paced', stream: true, messages: [{ role: 'user', content: 'Hello' }] }),
  });
  expect(response.status).toBe(200);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  await reader.read();
  const readRest = async () => {
    let received = '';
    for (let part = await reader.read(); !part.done; part = await reader.read()) received += part.value;
    return received;
  };
  return { rest: readRest() };
}

it('setting active to false ends the session, the key and running requests on all nodes within the time limit, and true restores the key', async () => {
  const user = await addSignedIn();
  const models = '/api/v1/models';
  const profile = '/api/v1/user/profile';
  await until(() => isOffered(otherNode, 'paced', user.apiKey));
  expect(await statusOf(otherNode, profile, user.session)).toBe(200);
  const { rest: received } = await openStream(user.apiKey);
  const startedMs = performance.now();
  const { body } = await idp.patch(`/Users/${user.id}`, [{ op: 'Replace', path: 'active', value: 'False' }]);
  expect(body.active).toBe(false);
  expect(await received).toContain('the account was deactivated');
  for (const node of [server.worker, otherNode]) {
    await until(async () => (await statusOf(node, models, user.apiKey)) === 403);
    await until(async () => (await statusOf(node, profile, user.session)) === 401);
  }
  expect(performance.now() - startedMs).toBeLessThan(endLimitMs);
  await idp.patch(`/Users/${user.id}`, [{ op: 'Replace', path: 'active', value: 'True' }]);
  await until(async () => (await statusOf(otherNode, models, user.apiKey)) === 200);
  expect(await statusOf(otherNode, profile, user.session)).toBe(401);
});

it('a deleted user has no key when the identity provider creates the user again', async () => {
  const user = await addSignedIn();
  const { userName } = (await idp.get(`/Users/${user.id}`)).body;
  await until(async () => (await statusOf(otherNode, '/api/v1/models', user.apiKey)) === 200);
  await idp.delete(`/Users/${user.id}`);
  expect((await idp.post('/Users', { userName })).body.id).toBe(String(user.id));
  await until(async () => (await statusOf(otherNode, '/api/v1/models', user.apiKey)) === 401);
});
