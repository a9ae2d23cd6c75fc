import { authRoutes, contract, createClient, llmProvidersRoutes, type RouteRow } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import { type ScriptedProvider, startScriptedProvider } from '#test/providers/scripted-provider.ts';

/** Part of every key in this file and of no other text. Matches no pattern of secrets. */
const canary = 'zq7canary';
const keys = {
  created: `${canary}.created.1`,
  replaced: `${canary}.replaced.2`,
  rotated: `${canary}.rotated.5`,
  tested: `${canary}.tested.3`,
  refused: `${canary}.refused.4`,
};
const statuses = [400, 401, 402, 403, 404, 418, 429, 500, 503, 529];
const models = statuses.map((status) => `says-${status}`);

let provider: ScriptedProvider;
let gateway: TestGateway;
let headers: Record<string, string>;
let instanceId: number;
const answers: string[] = [];

/** Repeats the received key everywhere in a response, and never accepts the rotated key. */
const repeatKey: ScriptedProvider['script'] = (response, { headers: given, body }) => {
  const model: string = JSON.parse(body.toString() || '{}').model ?? 'says-401';
  // Worded so that no pattern of secrets matches and only the known key can be detected.
  const message = `You came as ${String(given.authorization).replace('Bearer ', '')} today`;
  const isRefused = given.authorization === `Bearer ${keys.rotated}`;
  response.writeHead(isRefused ? 401 : Number(model.replace('says-', '')), {
    'content-type': 'application/json',
    'x-echo': String(given.authorization),
  });
  response.end(JSON.stringify({ error: { message, type: 'x', param: message, code: message } }));
};

const post = async (path: string, body: object, method = 'POST') => {
  const answer = await fetch(`${gateway.origin}/api/v1${path}`, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  answers.push(JSON.stringify([...answer.headers]) + (await answer.text()));
  return answer.status;
};

const complete = async () => {
  for (const stream of [false, true]) {
    for (const model of models) {
      const answer = await gateway.complete({ model, stream });
      answers.push(JSON.stringify([...answer.headers]) + (await answer.text()));
    }
  }
};

beforeAll(async () => {
  provider = await startScriptedProvider(repeatKey);
  gateway = await startGateway({ logLevel: 'trace', timeouts: { retriesMax: 0 } });
  const { email: username, password } = gateway.admin;
  const auth = createClient(authRoutes, { baseUrl: gateway.origin, headers: () => ({}) });
  headers = { authorization: `Bearer ${(await auth.login({ form: { username, password } })).access_token}` };
  const { id } = await createClient(llmProvidersRoutes, {
    baseUrl: gateway.origin,
    headers: () => headers,
  }).createLlmProvider({
    body: {
      provider_registry_id: 'custom',
      provider_instance_name: 'lab',
      api_endpoint: `${provider.origin}/v1`,
      api_key: keys.created,
      enabled_models: models,
    },
  });
  instanceId = id;
}, 60_000);
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

const expectNone = (text: string) => expect(text.includes(canary)).toBe(false);

/** Read-only management routes that need no input except an id. */
const readable = Object.values<Record<string, RouteRow>>(contract)
  .flatMap((routes) => Object.entries(routes))
  .filter(([, { method, surface }]) => method === 'GET' && surface === 'management');

describe('planted provider key', () => {
  it('a provider key reaches the provider and appears in no response, regardless of the failure', async () => {
    await complete();
    expect(provider.calls.some((call) => call.headers.authorization === `Bearer ${keys.created}`)).toBe(true);
    const instance = `/llm-providers/${instanceId}`;
    const candidate = { provider_registry_id: 'custom', api_endpoint: `${provider.origin}/v1` };
    expect(await post(instance, { api_key: keys.replaced }, 'PUT')).toBe(200);
    expect(await post('/llm-providers/test', { ...candidate, api_key: keys.tested })).toBe(200);
    const refused = {
      ...candidate,
      provider_instance_name: 'lab',
      enabled_models: [],
      api_key: keys.refused,
    };
    for (const body of [
      refused,
      { ...refused, apikey: keys.refused },
      { ...refused, api_key: `${keys.refused} with a space` },
      { ...refused, api_key: [keys.refused] },
      {
        ...refused,
        provider_instance_name: keys.refused.repeat(20),
        api_endpoint: `https://${keys.refused}`,
      },
    ])
      expect(await post('/llm-providers', body)).toBe(422);
    expect(await post(`${instance}/rotate-key`, { api_key: keys.rotated, overlap_hours: 1 })).toBe(200);
    expect(await post(`${instance}/rotate-key`, { api_key: `${keys.refused} with a space` })).toBe(422);
    await complete();
    for (const key of [keys.replaced, keys.rotated])
      expect(provider.calls.some((call) => call.headers.authorization === `Bearer ${key}`)).toBe(true);
    expect(answers).toHaveLength(2 * 2 * models.length + 9);
    for (const answer of answers) expectNone(answer);
  });

  it.each(readable)('a provider key appears in no response or export of %s', async (_name, { path }) => {
    const address = path.replace(/\{[^}]+\}/g, String(instanceId));
    const answer = await fetch(`${gateway.origin}/api/v1${address}`, { headers });
    expectNone(await answer.text());
  });

  it('a provider key appears in no log line or response when the database fails', async () => {
    const before = answers.length;
    gateway.databaseProxy.cut();
    const body = { provider_registry_id: 'custom', provider_instance_name: 'late', enabled_models: [] };
    await post('/llm-providers', { ...body, api_key: keys.refused });
    await post(`/llm-providers/${instanceId}`, { api_key: keys.replaced }, 'PUT');
    await expect.poll(() => gateway.problems.length).toBeGreaterThan(0);
    gateway.databaseProxy.restore();
    expectNone(answers.slice(before).join());
    expectNone(JSON.stringify([gateway.problems, gateway.providerFailures]));
  });

  it('a provider key appears in no row of any table, as text or bytes', async () => {
    await expect
      .poll(async () => (await gateway.pool.query('SELECT count(*)::int AS n FROM request_logs')).rows[0].n)
      .toBeGreaterThanOrEqual(2 * 2 * models.length);
    const { rows: tables } = await gateway.pool.query<{ name: string }>(
      "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
    );
    expect(tables.length).toBeGreaterThan(20);
    const bytes = Buffer.from(canary).toString('hex');
    const holding: string[] = [];
    for (const { name } of tables) {
      const { rows } = await gateway.pool.query(
        `SELECT count(*)::int AS n FROM ${name} t WHERE strpos(t::text, $1) > 0 OR strpos(t::text, $2) > 0`,
        [canary, bytes],
      );
      if (rows[0].n > 0) holding.push(name);
    }
    expect(holding).toEqual([]);
    // Proves that the search works: sealed keys are found, as bytes.
    const { rows } = await gateway.pool.query(
      'SELECT sealed_api_key, sealed_former_api_key FROM llm_providers WHERE id = $1',
      [instanceId],
    );
    expect(rows[0].sealed_api_key.length).toBeGreaterThan(keys.rotated.length);
    expect(rows[0].sealed_former_api_key.length).toBeGreaterThan(keys.replaced.length);
  });
});
