import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import { listenHttp } from '#test/processes/listen-http.ts';
import {
  answerCompletion,
  answerWith,
  type Script,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';
import { signAlert } from './send-alerts.ts';

const secret = 'the secret of the webhook';
const payload = z.object({ id: z.int(), event: z.string(), banner_id: z.string(), message: z.string() });
const received: z.infer<typeof payload>[] = [];
const statuses: number[] = [];
const verified: (string | undefined)[] = [];
const hook = createServer(async (request, response) => {
  const body = (await Array.fromAsync(request)).join('');
  const [, time = '', signature] =
    /^t=(\d+),v1=(\w+)$/.exec(String(request.headers['sluice-signature'])) ?? [];
  const expected = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  const status = signature === expected ? (statuses.shift() ?? 200) : 401;
  if (status === 200) {
    const headers = request.headers as Record<string, string>;
    received.push(payload.parse(new Webhook(secret, { format: 'raw' }).verify(body, headers)));
    verified.push(headers['webhook-id']);
  }
  response.writeHead(status).end();
});

let provider: ScriptedProvider;
let colleagueKey: string;
let gateway: TestGateway;
let endHook: () => Promise<void>;
beforeAll(async () => {
  const { origin, close } = await listenHttp(hook);
  endHook = close;
  provider = await startScriptedProvider();
  gateway = await startGateway({
    env: { SLUICE_ALERT_WEBHOOK_URL: `${origin}/alerts?team=a`, SLUICE_ALERT_WEBHOOK_SECRET: secret },
    seed: async (seed) => {
      const endpoint = `${provider.origin}/v1`;
      await seed.addInstance({ name: 'lab', models: ['locked', 'broke', 'sick'], endpoint });
      colleagueKey = (await seed.addPerson({ name: 'colleague' })).apiKey;
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([provider.close(), endHook()]);
});

const listBanners = async () => {
  const { rows } = await gateway.pool.query<{ kind: string; message: string }>(
    "SELECT split_part(id, ':', 1) AS kind, message FROM banners WHERE id LIKE '%:%' ORDER BY id",
  );
  return rows;
};
const told = (kind: string) =>
  received.filter(({ banner_id }) => banner_id.startsWith(`${kind}:`)).map(({ event }) => event);
const slow = { timeout: 40_000, interval: 200 };

describe.each<[kind: string, model: string, script: Script, words: RegExp]>([
  [
    'provider_auth_failed',
    'locked',
    answerWith(401, '{"error":{"message":"no"}}'),
    /"lab" refuses the gateway's key/,
  ],
  ['provider_out_of_credit', 'broke', answerWith(402, '{"error":{"message":"no"}}'), /"lab" has no credit/],
])('%s', (kind, model, script, words) => {
  it('an incident raises a banner and one alert, and sends another alert when it ends', {
    timeout: 90_000,
  }, async () => {
    if (kind === 'provider_auth_failed') statuses.push(500);
    provider.scripts.set(model, script);
    for (let times = 0; times < 3; times++) await gateway.complete({ model });
    await expect.poll(listBanners, slow).toEqual([{ kind, message: expect.stringMatching(words) }]);
    await expect.poll(() => told(kind), slow).toEqual(['raised']);
    provider.scripts.set(model, answerCompletion());
    expect((await gateway.complete({ model })).status).toBe(200);
    await expect.poll(listBanners, slow).toEqual([]);
    await expect.poll(() => told(kind), slow).toEqual(['raised', 'ended']);
  });
});

it('each alert has the signature of Standard Webhooks with the id of its body', () => {
  expect(verified.length).toBeGreaterThanOrEqual(4);
  expect(verified).toEqual(received.map(({ id }) => `alert_${id}`));
});

it.each<[title: string, secret: string, verifier: Webhook]>([
  [
    'a plain secret',
    'the secret of the webhook',
    new Webhook('the secret of the webhook', { format: 'raw' }),
  ],
  [
    'a secret in base64',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    new Webhook('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'),
  ],
])(
  'signAlert with %s is verified by Standard Webhooks, unless body, id or time differ',
  (_title, key, verifier) => {
    const body = Buffer.from('{"id":12}');
    const headers = signAlert({ id: 12, body }, key);
    expect(verifier.verify(body, headers)).toEqual({ id: 12 });
    const seconds = Number(headers['webhook-timestamp']);
    for (const [changedBody, changed] of [
      ['{"id":13}', {}],
      [body, { 'webhook-id': 'alert_13' }],
      [body, { 'webhook-timestamp': String(seconds - 1) }],
    ] as const)
      expect(() => verifier.verify(changedBody, { ...headers, ...changed })).toThrow(
        'No matching signature found',
      );
    expect(() => verifier.verify(body, signAlert({ id: 12, body }, key, Date.now() - 600_000))).toThrow(
      'too old',
    );
  },
);

it('an open circuit raises a banner until the provider responds again', { timeout: 90_000 }, async () => {
  provider.scripts.set('sick', answerWith(500, '{}', { 'x-should-retry': 'false' }));
  for (let times = 0; times < 5; times++) {
    await gateway.complete({ model: 'sick' });
    await gateway.complete({ model: 'sick' }, { apiKey: colleagueKey });
  }
  await expect
    .poll(listBanners, slow)
    .toEqual([{ kind: 'circuit_open', message: expect.stringMatching(/keeps failing.*\(sick\)/) }]);
  await expect.poll(() => told('circuit_open'), slow).toEqual(['raised']);
  provider.scripts.set('sick', answerCompletion());
  const ask = async () => (await gateway.complete({ model: 'sick' })).status;
  await expect.poll(ask, { timeout: 40_000, interval: 500 }).toBe(200);
  await expect.poll(() => told('circuit_open'), slow).toEqual(['raised', 'ended']);
});
