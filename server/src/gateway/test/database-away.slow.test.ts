import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { hello, startGateway, type TestGateway } from '#test/console/gateway.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const model = 'sandbox-normal';
const goodForMs = 30_000;

let gateway: TestGateway;
let token: string;
let cutAtMs: number;
const keys = { leased: '', unleased: '', blocked: '', narrow: '' };

beforeAll(async () => {
  gateway = await startGateway({
    async seed(seed) {
      await seed.addInstance({ name: 'lab', models: [model] });
      for (const name of ['leased', 'unleased', 'blocked'] as const) {
        keys[name] = (await seed.addPerson({ name })).apiKey;
      }
      keys.narrow = (await seed.addPerson({ name: 'narrow', role: 'user' })).apiKey;
    },
  });
  const { pool, origin, admin } = gateway;
  await pool.query(
    'UPDATE users SET requests_per_hour = 100000, daily_quota = 100000000, monthly_quota = 100000000 WHERE requests_per_hour IS NOT NULL',
  );
  await pool.query(`UPDATE users SET is_blocked = true, blocked_reason = 'a test' WHERE name = 'blocked'`);
  const signIn = await fetch(`${origin}/api/v1/auth/login`, {
    method: 'POST',
    body: new URLSearchParams({ username: admin.email, password: admin.password }),
  });
  ({ access_token: token } = z.object({ access_token: z.string() }).parse(await signIn.json()));
  const patience = 10_000;
  await vi.waitFor(async () => expect(await ask(keys.blocked)).toMatchObject({ status: 403 }), patience);
  await vi.waitFor(async () => expect(await ask(keys.leased)).toMatchObject(served), patience);
  await vi.waitFor(async () => expect(await ask(token)).toMatchObject(served), patience);
  gateway.databaseProxy.cut();
  cutAtMs = performance.now();
});
afterAll(() => gateway.stop());

interface Answer {
  status: number;
  code: string | undefined;
  retryAfter: string | null;
}

async function ask(credential: string): Promise<Answer> {
  return describeAnswer(await gateway.complete({ model }, { apiKey: credential }));
}

async function askConsole(method: string, path: string, body?: URLSearchParams): Promise<Answer> {
  const headers = body ? {} : { authorization: `Bearer ${token}` };
  return describeAnswer(await fetch(gateway.origin + path, { method, headers, ...(body && { body }) }));
}

async function readReadiness() {
  const answer = await fetch(`${gateway.origin}/readyz`);
  return { status: answer.status, body: await answer.json() };
}

const awayReason = { reason: 'database_unreachable', detail: 'The database cannot be reached.' };

const errorBody = z.object({ error: z.object({ code: z.string() }).optional() });

async function describeAnswer(answer: Response): Promise<Answer> {
  const { error } = errorBody.parse(await answer.json());
  return { status: answer.status, code: error?.code, retryAfter: answer.headers.get('retry-after') };
}

const unavailable = { status: 503, retryAfter: expect.any(String) };
const notReady = { ...unavailable, code: 'not_ready' };
const served = { status: 200 };

type Check = [what: string, ask: () => Promise<Answer>, expected: object];

const alwaysClosed: Check[] = [
  [
    'sign-in is unavailable',
    () =>
      askConsole(
        'POST',
        '/api/v1/auth/login',
        new URLSearchParams({ username: 'a@b.c', password: 'secret' }),
      ),
    unavailable,
  ],
  ['the console cannot read', () => askConsole('GET', '/api/v1/admin/users'), unavailable],
  ['the console cannot write', () => askConsole('POST', '/api/v1/admin/users/1/block'), unavailable],
  ['the process reports that it is alive', () => askConsole('GET', '/healthz'), served],
];

describe('first 30 s of a database outage', () => {
  beforeAll(() =>
    vi.waitFor(
      async () => expect((await readReadiness()).body).toMatchObject({ degraded: awayReason }),
      5_000,
    ),
  );

  it.each<Check>([
    ['a known key is valid and its user can spend leased amounts', () => ask(keys.leased), served],
    ['a session is valid', () => ask(token), served],
    ['a user without leased amounts is asked to retry', () => ask(keys.unleased), notReady],
    ['a blocked user stays blocked', () => ask(keys.blocked), { status: 403, code: 'account_blocked' }],
    [
      'a user without a grant gets no access',
      () => ask(keys.narrow),
      { status: 404, code: 'model_not_found' },
    ],
    ['an invalid key is rejected', () => ask('slc_nobody'), { status: 401, code: 'invalid_api_key' }],
    ...alwaysClosed,
  ])('%s in the first 30 s of a database outage', async (_, look, expected) => {
    expect(await look()).toMatchObject(expected);
  });

  it('the node is ready but degraded in the first 30 s of a database outage, so that load balancers keep it', async () => {
    expect(await readReadiness()).toMatchObject({
      status: 200,
      body: { status: 'ready', degraded: awayReason },
    });
  });

  it('a request is still classified in the first 30 s of a database outage', async () => {
    const answer = await gateway.complete({ model, messages: hello }, { apiKey: keys.leased });
    expect(answer.headers.get('x-sluice-intent')).toMatch(/^\w+/);
    await answer.text();
  });
});

describe('after 30 s of a database outage', () => {
  beforeAll(() => pause(Math.max(0, goodForMs + 500 - (performance.now() - cutAtMs))));

  it.each<Check>([
    ['a known key gets 503 rather than 401', () => ask(keys.leased), notReady],
    ['a session gets 503', () => ask(token), notReady],
    ['a blocked user gets 503', () => ask(keys.blocked), notReady],
    ['an invalid key gets 503', () => ask('slc_nobody'), notReady],
    ['the node reports that it is not ready', () => askConsole('GET', '/readyz'), unavailable],
    ...alwaysClosed,
  ])('%s after 30 s of a database outage', async (_, look, expected) => {
    expect(await look()).toMatchObject(expected);
  });
});

it('the gateway recovers by itself when the database is back, and every served request has its row', async () => {
  gateway.databaseProxy.restore();
  await expect.poll(() => ask(keys.unleased), { timeout: 10_000 }).toMatchObject(served);
  await expect.poll(() => askConsole('GET', '/readyz'), { timeout: 5_000 }).toMatchObject(served);
  const countSuccesses = async () =>
    (await gateway.pool.query(`SELECT count(*)::int AS count FROM request_logs WHERE status = 'success'`))
      .rows[0].count;
  const billed = gateway.sandbox.journal.entries().length;
  await expect.poll(countSuccesses, { timeout: 10_000 }).toBe(billed);
});
