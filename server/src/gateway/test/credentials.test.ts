import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { session } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatApiKey, formatManagementToken } from '#domain/api-key.ts';
import type { Principal } from '#domain/principal.ts';
import { hello, startGateway, type TestGateway } from '#test/console/gateway.ts';
import type { Seeder } from '#test/database/seed.ts';
import { readError } from '#test/requests/answers.ts';
import { sendRaw } from '#test/requests/raw-request.ts';

type Person = Principal & { apiKey: string };

let gateway: TestGateway;
let people: Record<'colleague' | 'member' | 'stranger' | 'reader' | 'caller', Person>;
beforeAll(async () => {
  gateway = await startGateway({
    async seed(seed: Seeder) {
      const tenantId = await seed.addTenant('Other');
      await seed.addInstance({ name: 'theirs', models: ['sandbox-normal:tokens=3'], tenantId });
      people = {
        colleague: await seed.addPerson({ name: 'colleague' }),
        member: await seed.addPerson({ name: 'member', role: 'user' }),
        stranger: await seed.addPerson({ name: 'stranger', tenantId }),
        reader: await seed.addPerson({ name: 'reader', scopes: ['models'] }),
        caller: await seed.addPerson({ name: 'caller', scopes: ['completions'] }),
      };
    },
  });
});
afterAll(() => gateway.stop());

const body = JSON.stringify({ model: 'sandbox-normal', messages: hello });
const send = (headers: OutgoingHttpHeaders) => sendRaw(gateway.port, { headers, body });
const bearer = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` });
const unknownKey = formatApiKey(randomBytes(64));
/** Changes the fifth character from the end, since some bits of a token's last character are ignored. */
const mistype = (text: string) => text.slice(0, -5) + (text.at(-5) === '0' ? '1' : '0') + text.slice(-4);

it('a management token is rejected with an error that names the required credential', async () => {
  const answer = await gateway.complete(
    { model: 'sandbox-normal' },
    { apiKey: formatManagementToken(randomBytes(64)) },
  );
  expect(answer.status).toBe(401);
  expect(await readError(answer)).toMatchObject({
    code: 'invalid_api_key',
    message: expect.stringContaining('management token'),
  });
});

it('keys sent over one connection each authenticate their own user', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { colleague, caller } = people;
  const sockets = new Set<unknown>();
  const ask = async (apiKey: string) => {
    const call = request(`${gateway.origin}/api/v1/models`, {
      agent,
      headers: bearer(apiKey),
    });
    call.end();
    const [answer]: IncomingMessage[] = await once(call, 'response');
    sockets.add(answer?.socket);
    await answer?.resume().toArray();
    return answer?.statusCode;
  };
  const keys = [colleague, colleague, caller, colleague].map(({ apiKey }) => apiKey);
  const statuses: unknown[] = [];
  for (const apiKey of [...keys, mistype(colleague.apiKey), unknownKey, colleague.apiKey])
    statuses.push(await ask(apiKey));
  agent.destroy();
  expect(statuses).toEqual([200, 200, 403, 200, 401, 401, 200]);
  expect(sockets.size).toBe(1);
});

describe('invalid credentials', () => {
  it.each<[name: string, code: string, headers: () => OutgoingHttpHeaders]>([
    ['none', 'missing_api_key', () => ({})],
    ['an empty bearer', 'missing_api_key', () => ({ authorization: 'Bearer ' })],
    ['another scheme', 'missing_api_key', () => ({ authorization: `Basic ${gateway.apiKey}` })],
    ['an empty x-api-key', 'missing_api_key', () => ({ 'x-api-key': '' })],
    ['an unknown key', 'invalid_api_key', () => bearer(unknownKey)],
    ['a key with a wrong checksum', 'invalid_api_key', () => bearer(mistype(gateway.apiKey))],
    ['a key and more', 'invalid_api_key', () => bearer(`${gateway.apiKey}0`)],
    ["a provider's key", 'invalid_api_key', () => bearer('sk-proj-0123456789')],
    ['a key of 10,000 characters', 'invalid_api_key', () => bearer('x'.repeat(10_000))],
    [
      'two keys in one header',
      'invalid_api_key',
      () => ({ 'x-api-key': `${gateway.apiKey}, ${gateway.apiKey}` }),
    ],
    ['an unsigned token', 'invalid_api_key', () => bearer('eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.')],
  ])('the gateway returns 401 for an invalid credential: %s', async (_, code, headers) => {
    const answer = await send(headers());
    expect({ status: answer.status, ...JSON.parse(answer.body) }).toEqual({
      status: 401,
      error: { message: expect.stringMatching(/\w/), type: 'authentication_error', param: null, code },
    });
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('a request without a credential leaves no row, since it belongs to no tenant', async () => {
    const clientRequestId = 'a-caller-without-a-key';
    await send({ 'x-request-id': clientRequestId });
    const good = await send({ ...bearer(gateway.apiKey), 'x-request-id': 'after-it' });
    expect(good.status).toBe(200);
    await gateway.waitForRowOf('after-it');
    const rows = await gateway.readRows();
    expect(rows.some((row) => row.client_request_id === clientRequestId)).toBe(false);
  });
});

describe('accepted credentials', () => {
  it.each<[name: string, headers: (apiKey: string) => OutgoingHttpHeaders]>([
    ['as a bearer token', bearer],
    ['with a scheme in any case', (apiKey) => ({ authorization: `bEARER   ${apiKey} ` })],
    ['as x-api-key', (apiKey) => ({ 'x-api-key': apiKey })],
    ['as api-key', (apiKey) => ({ 'api-key': apiKey })],
    ['as x-goog-api-key', (apiKey) => ({ 'x-goog-api-key': apiKey })],
  ])('the gateway accepts a key %s', async (_, headers) => {
    expect((await send(headers(gateway.apiKey))).status).toBe(200);
  });

  it('the gateway accepts a session token instead of a key', async () => {
    const { email: username, password } = gateway.admin;
    const login = await fetch(`${gateway.origin}/api/v1/auth/login`, {
      method: 'POST',
      body: new URLSearchParams({ username, password }),
    });
    const { access_token: token } = session.parse(await login.json());
    const answer = await send(bearer(token));
    expect(answer.status).toBe(200);
    const row = await gateway.waitForRow(String(answer.headers['x-request-id']));
    expect(row).toMatchObject({ api_key_id: null, status: 'success' });
    expect((await send(bearer(mistype(token)))).status).toBe(401);
  });
});

describe('key permissions', () => {
  const codeOf = async (apiKey: string, model = 'sandbox-normal') => {
    const answer = await gateway.complete({ model }, { apiKey });
    return answer.status === 200 ? 'ok' : (await readError(answer)).code;
  };
  const models = (apiKey: string) => fetch(`${gateway.origin}/api/v1/models`, { headers: bearer(apiKey) });

  it('a key permits only the operations in its scopes', async () => {
    expect([await codeOf(people.reader.apiKey), (await models(people.reader.apiKey)).status]).toEqual([
      'scope_missing',
      200,
    ]);
    expect([await codeOf(people.caller.apiKey), (await models(people.caller.apiKey)).status]).toEqual([
      'ok',
      403,
    ]);
  });

  it("a key gives no access to another tenant's models, which get the same error as missing models", async () => {
    const { apiKey } = people.stranger;
    expect(await codeOf(apiKey, 'sandbox-normal:tokens=3')).toBe('ok');
    for (const model of ['sandbox-normal', 'sandbox/sandbox-normal']) {
      const [theirs, missing] = await Promise.all([
        gateway.complete({ model }, { apiKey }).then((answer) => answer.text()),
        gateway.complete({ model: 'no-model' }, { apiKey }).then((answer) => answer.text()),
      ]);
      expect(theirs.replaceAll(model, 'no-model')).toBe(missing);
    }
    expect(await codeOf(gateway.apiKey, 'sandbox-normal:tokens=3')).toBe('model_not_found');
  });

  it('a key of a user who is not an administrator needs a grant that names the model', async () => {
    const { apiKey, userId } = people.member;
    expect(await codeOf(apiKey)).toBe('model_not_found');
    expect(await models(apiKey).then((answer) => answer.json())).toEqual({ object: 'list', data: [] });
    await gateway.pool.query(
      `INSERT INTO user_provider_access (tenant_id, user_id, llm_provider_id, allowed_models)
       SELECT tenant_id, $1, id, '{sandbox-normal}' FROM llm_providers WHERE provider_instance_name = 'sandbox'`,
      [userId],
    );
    await expect.poll(() => codeOf(apiKey)).toBe('ok');
    expect(await codeOf(apiKey, 'sandbox-echo')).toBe('model_not_found');
    expect(await models(apiKey).then((answer) => answer.json())).toMatchObject({
      data: [{ id: 'sandbox-normal' }],
    });
    await gateway.pool.query('DELETE FROM user_provider_access WHERE user_id = $1', [userId]);
    await expect.poll(() => codeOf(apiKey)).toBe('model_not_found');
  });

  const change = (statement: string, { userId }: Principal) => gateway.pool.query(statement, [userId]);

  it("a blocked user's key is rejected with the reason within a second, and works again after the unblock", async () => {
    const { colleague } = people;
    await change(
      "UPDATE users SET is_blocked = true, blocked_reason = 'spent too much' WHERE id = $1",
      colleague,
    );
    await expect.poll(() => codeOf(colleague.apiKey), { timeout: 1_000 }).toBe('account_blocked');
    const answer = await gateway.complete({ model: 'sandbox-normal' }, { apiKey: colleague.apiKey });
    expect([answer.status, await readError(answer)]).toEqual([
      403,
      expect.objectContaining({
        type: 'permission_error',
        message: expect.stringContaining('spent too much'),
      }),
    ]);
    expect((await models(colleague.apiKey)).status).toBe(403);
    await change('UPDATE users SET is_blocked = false WHERE id = $1', colleague);
    await expect.poll(() => codeOf(colleague.apiKey)).toBe('ok');
  });

  it.each([
    ['it has expired', 'UPDATE api_keys SET expires_at = $2 WHERE user_id = $1', new Date(), null],
    ['it is revoked', 'UPDATE api_keys SET revoked_at = $2 WHERE user_id = $1', new Date(), null],
  ])('a key stops working within a second when %s', async (_, statement, ended, restored) => {
    const { apiKey, userId } = people.caller;
    expect(await codeOf(apiKey)).toBe('ok');
    await gateway.pool.query(statement, [userId, ended]);
    await expect.poll(() => codeOf(apiKey), { timeout: 1_000 }).toBe('invalid_api_key');
    await gateway.pool.query(statement, [userId, restored]);
    await expect.poll(() => codeOf(apiKey)).toBe('ok');
  });

  it('a key is rejected with the reason within a second of its user becoming inactive', async () => {
    const { apiKey, userId } = people.caller;
    const setActive = (isActive: boolean) =>
      gateway.pool.query('UPDATE users SET is_active = $2 WHERE id = $1', [userId, isActive]);
    await setActive(false);
    await expect.poll(() => codeOf(apiKey), { timeout: 1_000 }).toBe('account_blocked');
    const refused = await models(apiKey);
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain('Your account is inactive. Ask your administrator.');
    await gateway.pool.query('UPDATE api_keys SET revoked_at = now() WHERE user_id = $1', [userId]);
    await expect.poll(() => codeOf(apiKey), { timeout: 1_000 }).toBe('invalid_api_key');
    await gateway.pool.query('UPDATE api_keys SET revoked_at = NULL WHERE user_id = $1', [userId]);
    await setActive(true);
    await expect.poll(() => codeOf(apiKey)).toBe('ok');
  });

  it('a key stops working at expires_at even if nothing else changes', async () => {
    const { apiKey, userId } = people.caller;
    await gateway.pool.query(
      "UPDATE api_keys SET expires_at = now() + interval '700 ms' WHERE user_id = $1",
      [userId],
    );
    expect(await codeOf(apiKey)).toBe('ok');
    await expect.poll(() => codeOf(apiKey), { timeout: 5_000 }).toBe('invalid_api_key');
  });
});

it('repeated rejections of an authenticated caller are counted in one row with the reason', async () => {
  const { reader } = people;
  const rowsOf = async () =>
    (await gateway.readRows()).filter((row) => row.user_id === reader.userId && row.status === 'refused');
  await expect.poll(async () => (await rowsOf()).length).toBe(1);
  for (let count = 0; count < 5; count++) await gateway.complete({}, { apiKey: reader.apiKey });
  await gateway.drain();
  const rows = await rowsOf();
  expect(rows).toMatchObject([
    { error_code: 'scope_missing', http_status: 403, repeats: 1, attempts: 0, completion_tokens: 0 },
    { error_code: 'scope_missing', repeats: 5 },
  ]);
});
