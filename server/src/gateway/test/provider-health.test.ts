import { authRoutes, createClient, llmProvidersRoutes } from '@sluice/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../test/gateway.ts';
import {
  completionText,
  type ScriptedProvider,
  startScriptedProvider,
} from '../../../test/scripted-provider.ts';

let provider: ScriptedProvider;
let gateway: TestGateway;
let health: () => Promise<Awaited<ReturnType<typeof providers.listLlmProviderHealth>>[number] | undefined>;
let providers: ReturnType<typeof createClient<typeof llmProvidersRoutes>>;

beforeAll(async () => {
  provider = await startScriptedProvider((response, { body }) => {
    const isSick = JSON.parse(body.toString()).model === 'sick';
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

it('tells of an instance what its requests of the day came to, and which models are left alone', async () => {
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
    expect((await gateway.complete({ model: 'sick' })).status).toBe(502);
  }
  await expect.poll(async () => (await health())?.requests).toBe(20);
  const told = await health();
  expect(told).toMatchObject({ error_rate: 0.5, models_in_cooldown: ['sick'] });
  expect(Date.parse(told?.last_success_at ?? '')).toBeGreaterThan(Date.now() - 60_000);
  expect(Date.parse(told?.last_success_at ?? '')).toBeLessThanOrEqual(Date.now());
  expect(told?.p50_ms).toBeGreaterThan(0);
  expect(told?.p95_ms ?? 0).toBeGreaterThanOrEqual(told?.p50_ms ?? 0);
});
