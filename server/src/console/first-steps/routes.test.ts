import {
  apiKeysRoutes,
  authRoutes,
  createClient,
  firstStepsRoutes,
  llmProvidersRoutes,
  providerAccessRoutes,
  providerRegistryRoutes,
  type RouteTable,
  serviceAccountsRoutes,
  tasksRoutes,
  usersRoutes,
} from '@sluice/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';

let gateway: TestGateway;
let token: string;

beforeAll(async () => {
  gateway = await startGateway();
  const auth = createClient(authRoutes, { baseUrl: gateway.origin, headers: () => ({}) });
  const { email, password } = gateway.admin;
  token = (await auth.login({ form: { username: email, password } })).access_token;
});
afterAll(() => gateway.stop());

const callsOf = <Routes extends RouteTable>(routes: Routes) =>
  createClient(routes, {
    baseUrl: gateway.origin,
    headers: () => ({ authorization: `Bearer ${token}` }),
  });

it('each first step is completed only by its action, and the last one by a request that returns 200', async () => {
  const steps = () => callsOf(firstStepsRoutes).getFirstSteps();
  const users = callsOf(usersRoutes);
  const providers = callsOf(llmProvidersRoutes);
  const nothing = {
    providers: [],
    has_sandbox: true,
    connection_tested_at: null,
    users: [],
    granted_users: [],
    assigned_users: [],
    key_holders: [],
    answered_request: null,
  };
  // The first run created a sandbox, an administrator and a key.
  expect(await steps()).toEqual(nothing);

  const registry = await callsOf(providerRegistryRoutes).listProviderRegistry();
  const idOf = (key: string) => registry.find(({ provider_key }) => provider_key === key)?.id ?? 0;
  const own = {
    provider_registry_id: idOf('custom'),
    api_endpoint: `${gateway.sandbox.origin}/v1`,
    api_key: 'sk-own',
  };
  await providers.testLlmProvider({ body: { provider_registry_id: idOf('sandbox') } });
  const wrong = await providers.testLlmProvider({ body: { ...own, api_key: 'sk-wrong' } });
  expect(wrong.success).toBe(false);
  expect(await steps()).toEqual(nothing);
  expect((await providers.testLlmProvider({ body: own })).success).toBe(true);
  expect(await steps()).toEqual({ ...nothing, connection_tested_at: expect.any(String) });

  const instance = await providers.createLlmProvider({
    body: { ...own, provider_instance_name: 'Ours', enabled_models: ['sandbox-normal'] },
  });
  expect((await steps()).providers).toEqual(['Ours']);

  const mara = await users.createUser({
    body: { name: 'Mara', email: 'mara@default.test', password: 'secret1', role_id: 3 },
  });
  expect(mara.missing).toEqual(['task', 'models']);
  expect(await steps()).toMatchObject({ users: ['Mara'], granted_users: [], assigned_users: [] });
  const missing = async () => (await users.getUser({ params: { id: mara.id } })).missing;

  await callsOf(tasksRoutes).createTask({ body: { is_dummy_task: true, user_id: mara.id } });
  expect(await missing()).toEqual(['models']);
  await callsOf(providerAccessRoutes).grantUserAccess({
    body: { user_id: mara.id, llm_provider_id: instance.id, allowed_models: ['sandbox-normal'] },
  });
  expect(await missing()).toEqual([]);
  const list = await users.listUsers({ query: {} });
  expect(list.map((user) => user.missing)).toEqual([[], []]);
  expect(await steps()).toMatchObject({
    granted_users: ['Mara'],
    assigned_users: ['Mara'],
    key_holders: [],
  });

  const { api_key } = await callsOf(apiKeysRoutes).createUserApiKey({ params: { id: mara.id } });
  expect(await steps()).toMatchObject({ key_holders: ['Mara'], answered_request: null });

  const refused = await gateway.complete({ model: 'no-such-model' }, { apiKey: api_key });
  expect(refused.status).toBe(404);
  await gateway.waitForRow(refused.headers.get('x-request-id') ?? '');
  expect((await steps()).answered_request).toBeNull();
  const answered = await gateway.complete({ model: 'sandbox-normal' }, { apiKey: api_key });
  expect(answered.status).toBe(200);
  const id = answered.headers.get('x-request-id') ?? '';
  await gateway.waitForRow(id);
  expect((await steps()).answered_request).toEqual({ id, created_at: expect.any(String) });

  await callsOf(serviceAccountsRoutes).createServiceAccount({ body: { name: 'Nightly job' } });
  expect((await steps()).users).toEqual(['Mara']);
});
