import { llmProvidersRoutes } from '@sluice/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { syncRegistry } from '#console/provider-registry/sync-registry.ts';
import { createSystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { createKeyring } from '#platform/keyring.ts';
import { addPerson, addTenant, createTestConsole, noProvider } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createLlmProvidersHandlers } from './routes.ts';

let database: TestDatabase;
let admin: Principal;
let calls: ReturnType<ReturnType<typeof createTestConsole<typeof llmProvidersRoutes>>>;

beforeAll(async () => {
  database = await createTestDatabase();
  await syncRegistry(createSystemDatabase(database.pool));
  admin = await addPerson(database.pool, await addTenant(database.pool, 'One'), 'admin', 'ada@one.test');
  const handlers = createLlmProvidersHandlers({
    ...noProvider,
    keyring: createKeyring('test'),
    checkEndpointUrl: (text) => ({ ok: true, url: new URL(text) }),
  });
  calls = createTestConsole(database.pool, llmProvidersRoutes, handlers)({ principal: admin });
});
afterAll(() => database.close());

const add = (vendor: string, name: string, enabled_models: string[], more: object = {}) =>
  calls.createLlmProvider({
    body: {
      provider_registry_id: vendor,
      provider_instance_name: name,
      api_key: 'sk-x',
      enabled_models,
      ...more,
    },
  });
const list = async (scope: 'enabled' | 'listed') => calls.listOfferedModels({ query: { scope } });

it('listOfferedModels returns price, context, abilities and permitted users of each model', async () => {
  const { id } = await add('openai', 'Main', ['gpt-5', 'gpt-4o', 'text-embedding-3-small', 'house-model'], {
    model_aliases: { fast: 'gpt-4o' },
  });
  await add('mistral', 'Off', ['mistral-large-latest'], { is_active: false });
  const mara = await addPerson(database.pool, admin.tenantId, 'user', 'mara@one.test');
  await database.pool.query(
    "INSERT INTO user_provider_access (tenant_id, user_id, llm_provider_id, allowed_models) VALUES ($1, $2, $3, '{gpt-4o}')",
    [admin.tenantId, mara.userId, id],
  );
  await database.pool.query(
    "INSERT INTO blacklist_entries (tenant_id, provider_key, model_pattern, reason) VALUES ($1, 'openai', 'gpt-5', 'Data privacy')",
    [admin.tenantId],
  );
  const models = await list('enabled');
  expect(models.map(({ model }) => model)).toEqual([
    'gpt-5',
    'gpt-4o',
    'text-embedding-3-small',
    'house-model',
  ]);
  const [gpt5, gpt4o, embedding, house] = models;
  expect(gpt5).toMatchObject({ blacklist_reason: 'Data privacy', permitted_users: 0 });
  expect(gpt5?.abilities).toContain('reasoning');
  expect(gpt4o).toMatchObject({
    provider_name: 'OpenAI',
    provider_instance_name: 'Main',
    aliases: ['fast'],
    blacklist_reason: null,
    abilities: ['chat', 'vision', 'tools', 'prompt_caching'],
    pricing: { input_per_1k: 0.0025, output_per_1k: 0.01, max_tokens: 128_000 },
    permitted_users: 2,
  });
  expect(embedding).toMatchObject({ abilities: ['embeddings'], permitted_users: 1 });
  expect(house).toMatchObject({ pricing: null, permitted_users: 1 });
});

it('listOfferedModels derives the abilities of sandbox models from their names', async () => {
  const abilities = new Map(
    (await list('listed'))
      .filter(({ provider_key }) => provider_key === 'sandbox')
      .map((model) => [model.model, model.abilities]),
  );
  await add('sandbox', 'Trial', [
    'sandbox-normal',
    'sandbox-embedding',
    'sandbox-vision',
    'sandbox-tools',
    'sandbox-reasoning',
  ]);
  for (const { model, abilities: own } of (await list('enabled')).filter(
    ({ provider_key }) => provider_key === 'sandbox',
  ))
    abilities.set(model, own);
  expect(Object.fromEntries(abilities)).toMatchObject({
    'sandbox-normal': ['chat', 'prompt_caching'],
    'sandbox-embedding': ['embeddings'],
    'sandbox-vision': ['chat', 'vision', 'prompt_caching'],
    'sandbox-tools': ['chat', 'tools', 'prompt_caching'],
    'sandbox-reasoning': ['chat', 'reasoning', 'prompt_caching'],
  });
});

it('listOfferedModels adds catalog models that are not enabled', async () => {
  const enabled = await list('enabled');
  const listed = await list('listed');
  expect(listed.slice(0, enabled.length)).toEqual(enabled);
  const others = listed.slice(enabled.length);
  expect(others.length).toBeGreaterThan(100);
  expect(others.find(({ provider_key }) => provider_key === 'mistral')).toMatchObject({
    llm_provider_id: null,
    provider_name: 'Mistral',
    permitted_users: null,
  });
  expect(others.some(({ model, provider_key }) => provider_key === 'openai' && model === 'gpt-4o')).toBe(
    false,
  );
});
