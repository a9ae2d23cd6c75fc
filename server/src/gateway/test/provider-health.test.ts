import { randomUUID } from 'node:crypto';
import { authRoutes, createClient, llmProvidersRoutes } from '@sluice/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProviderReports } from '#gateway/provider-call/provider-reports.ts';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import {
  completionText,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';

let provider: ScriptedProvider;
let isMended = false;
let colleagueKey: string;
let gateway: TestGateway;
let health: () => Promise<Awaited<ReturnType<typeof providers.listLlmProviderHealth>>[number] | undefined>;
let providers: ReturnType<typeof createClient<typeof llmProvidersRoutes>>;

beforeAll(async () => {
  provider = await startScriptedProvider((response, { body }) => {
    const isSick = !isMended && JSON.parse(body.toString()).model === 'sick';
    response.writeHead(isSick ? 500 : 200, { 'content-type': 'application/json' });
    response.end(isSick ? '{}' : completionText);
  });
  let id = 0;
  gateway = await startGateway({
    timeouts: { retriesMax: 0 },
    async seed(seed) {
      id = await seed.addInstance({
        name: 'lab',
        models: ['well', 'sick'],
        endpoint: `${provider.origin}/v1`,
      });
      colleagueKey = (await seed.addPerson({ name: 'colleague' })).apiKey;
    },
  });
  const { email: username, password } = gateway.admin;
  const auth = createClient(authRoutes, { baseUrl: gateway.origin, headers: () => ({}) });
  const { access_token } = await auth.login({ form: { username, password } });
  const headers = () => ({ authorization: `Bearer ${access_token}` });
  providers = createClient(llmProvidersRoutes, { baseUrl: gateway.origin, headers });
  health = async () =>
    (await providers.listLlmProviderHealth()).find(({ llm_provider_id }) => llm_provider_id === id);
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

it("provider health returns an instance's requests of the day and the models in cooldown", async () => {
  expect(await health()).toMatchObject({
    requests: 0,
    error_rate: null,
    last_success_at: null,
    p95_ms: null,
    spend: 0,
    models_in_cooldown: [],
  });
  for (let count = 0; count < 10; count++) {
    expect((await gateway.complete({ model: 'well' })).status).toBe(200);
    const apiKey = count % 2 ? colleagueKey : gateway.apiKey;
    expect((await gateway.complete({ model: 'sick' }, { apiKey })).status).toBe(502);
  }
  await expect.poll(async () => (await health())?.requests).toBe(20);
  const told = await health();
  expect(told).toMatchObject({ error_rate: 0.5 });
  await expect.poll(async () => (await health())?.models_in_cooldown).toEqual(['sick']);
  expect(Date.parse(told?.last_success_at ?? '')).toBeGreaterThan(Date.now() - 60_000);
  expect(Date.parse(told?.last_success_at ?? '')).toBeLessThanOrEqual(Date.now());
  expect(told?.p50_ms).toBeGreaterThan(0);
  expect(told?.p95_ms ?? 0).toBeGreaterThanOrEqual(told?.p50_ms ?? 0);
});

it('provider health returns cooldowns of another node while it lives and has not closed the circuit', async () => {
  const other = randomUUID();
  const expire = (after: string) =>
    gateway.pool.query(
      `INSERT INTO nodes (id, expires_at) VALUES ($1, now() + $2::interval)
       ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at`,
      [other, after],
    );
  await expire('1 minute');
  const { pool, problems } = gateway;
  const warn = (fields: object, msg: string) => expect.fail(`${msg}: ${JSON.stringify(fields)}`);
  const reports = createProviderReports({ pool, node: { id: other }, log: { warn } });
  const llmProviderId = (await health())?.llm_provider_id ?? 0;
  const open = { state: 'open', retryAfterMs: 5_000 } as const;

  reports.noteCircuit(llmProviderId, 'well', open);
  await reports.close();
  expect((await health())?.models_in_cooldown).toEqual(['well', 'sick']);
  await expire('-1 second');
  expect((await health())?.models_in_cooldown).toEqual(['sick']);
  await expire('1 minute');
  reports.noteCircuit(llmProviderId, 'well', { state: 'closed' });
  await reports.close();
  expect((await health())?.models_in_cooldown).toEqual(['sick']);
  expect(problems.filter(({ msg }) => msg.includes('could not record the reported state'))).toEqual([]);
});

it('provider health omits a model whose provider works again', async () => {
  isMended = true;
  await expect
    .poll(
      async () => {
        await gateway.complete({ model: 'sick' });
        return (await health())?.models_in_cooldown;
      },
      { timeout: 15_000, interval: 500 },
    )
    .toEqual([]);
});
