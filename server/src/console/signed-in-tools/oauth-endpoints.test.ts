import { createClient, grantTypes, signedInToolsRoutes } from '@sluice/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import { signSessionToken } from '#platform/tokens.ts';
import { addPerson, addTenant } from '#test/console/console.ts';
import { type RunningServer, startWorker, testKeyring } from '#test/console/console-server.ts';
import { assignTask, openSessionOf } from '#test/console/tools-console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';

let database: TestDatabase;
let nodes: RunningServer[];
let tenantId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  tenantId = await addTenant(database.pool, 'One');
  const { connectionString } = database;
  const directConnectionString = 'postgresql://nobody@127.0.0.1:1/none';
  nodes = await Promise.all([
    startWorker({ connectionString, variables: { PUBLIC_URL: 'https://sluice.one.test' } }),
    startWorker({ connectionString, directConnectionString }),
  ]);
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.close()));
  await database.close();
});

async function post(path: string, body: string | URLSearchParams, headers = {}) {
  const response = await fetch(`${nodes[0]!.origin}${path}`, { method: 'POST', body, headers });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, string>,
  };
}

const form = (fields: Record<string, string>) => new URLSearchParams(fields);
const codeForm = (device_code: string) => form({ grant_type: grantTypes.deviceCode, device_code });

it('the OAuth metadata contains endpoints at the public URL', async () => {
  const response = await fetch(`${nodes[0]!.origin}/.well-known/oauth-authorization-server`);
  expect(await response.json()).toMatchObject({
    issuer: 'https://sluice.one.test',
    device_authorization_endpoint: 'https://sluice.one.test/oauth/device_authorization',
    token_endpoint: 'https://sluice.one.test/oauth/token',
    grant_types_supported: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
  });
});

it.each<[name: string, path: string, body: string | URLSearchParams, headers: object, error: string]>([
  ['an unknown device code', '/oauth/token', codeForm('unknown'), {}, 'invalid_grant'],
  ['an unknown grant type', '/oauth/token', form({ grant_type: 'password' }), {}, 'unsupported_grant_type'],
  ['a request without a grant type', '/oauth/token', form({}), {}, 'invalid_request'],
  [
    'a request without a device code',
    '/oauth/token',
    form({ grant_type: grantTypes.deviceCode }),
    {},
    'invalid_request',
  ],
  [
    'a repeated parameter',
    '/oauth/token',
    'grant_type=a&grant_type=b',
    { 'content-type': 'application/x-www-form-urlencoded' },
    'invalid_request',
  ],
  ['a JSON body', '/oauth/token', '{}', { 'content-type': 'application/json' }, 'invalid_request'],
  [
    'a device name with a URL',
    '/oauth/device_authorization',
    form({ device_name: 'https://evil.test "x"' }),
    {},
    'invalid_request',
  ],
])('the OAuth endpoints reject %s with a 400 in their own format', async (_, path, body, headers, error) => {
  const answer = await post(path, body, headers);
  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({
    error,
    error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/),
  });
  expect(answer.headers.get('cache-control')).toBe('no-store');
});

it('unknown paths below /managed, /oauth and /.well-known return a 404 instead of the console', async () => {
  for (const path of ['/managed/settings', '/oauth/authorize', '/.well-known/openid-configuration'])
    expect((await fetch(`${nodes[0]!.origin}${path}`)).status).toBe(404);
});

async function signIn(email: string): Promise<{ key: string; person: Principal }> {
  const { pool } = database;
  const person = await openSessionOf(pool, await addPerson(pool, tenantId, 'user', email));
  const { id } = await assignTask(pool, person);
  const { sessionId } = person.credential as { sessionId: string };
  const claims = { userId: person.userId, sessionId, tokenVersion: 1 };
  const token = await signSessionToken(testKeyring.sessionKey, claims, Date.now());
  const client = createClient(signedInToolsRoutes, {
    baseUrl: nodes[0]!.origin,
    headers: () => ({ authorization: `Bearer ${token}` }),
  });
  const { body: codes } = await post('/oauth/device_authorization', form({}));
  expect((await post('/oauth/token', codeForm(codes.device_code ?? ''))).body.error).toBe(
    'authorization_pending',
  );
  expect((await post('/oauth/token', codeForm(codes.device_code ?? ''))).body.error).toBe('slow_down');
  await client.allowTool({ body: { user_code: codes.user_code ?? '', task_id: id } });
  await pool.query('UPDATE device_codes SET polled_at = NULL');
  const { status, body } = await post('/oauth/token', codeForm(codes.device_code ?? ''));
  expect(status).toBe(200);
  return { key: body.access_token ?? '', person };
}

const statusAt = async ({ origin }: RunningServer, key: string) =>
  (await fetch(`${origin}/v1/models`, { headers: { authorization: `Bearer ${key}` } })).status;

it.each([
  ['its session was ended', 'UPDATE sessions SET ended_at = now() WHERE user_id = $1'],
  [
    'its task was closed',
    'UPDATE tasks SET is_active = false WHERE id IN (SELECT task_id FROM task_assignments WHERE user_id = $1)',
  ],
  ['its user was blocked', "UPDATE users SET is_blocked = true, blocked_reason = 'x' WHERE id = $1"],
  ['its user was deactivated', 'UPDATE users SET is_active = false WHERE id = $1'],
])('every node rejects the key of a tool within one second after %s', async (name, statement) => {
  const { key, person } = await signIn(`${name.replaceAll(' ', '-')}@one.test`);
  for (const node of nodes) await expect.poll(() => statusAt(node, key), { timeout: 5_000 }).toBe(200);
  await database.pool.query(statement, [person.userId]);
  const startMs = performance.now();
  await Promise.all(
    nodes.map((node) =>
      expect.poll(() => statusAt(node, key), { timeout: 3_000, interval: 20 }).not.toBe(200),
    ),
  );
  expect(performance.now() - startMs).toBeLessThan(1_000);
  for (const node of nodes) expect([401, 403]).toContain(await statusAt(node, key));
});
