import { providerRegistryRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import { providers } from '#providers/registry.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createProviderRegistryHandlers } from './routes.ts';
import { syncRegistry } from './sync-registry.ts';

let database: TestDatabase;
let system: SystemDatabase;
let list: () => ReturnType<ReturnType<typeof createProviderRegistryHandlers>['listProviderRegistry']>;
beforeAll(async () => {
  database = await createTestDatabase();
  system = createSystemDatabase(database.pool);
  const principal = await addPerson(
    database.pool,
    await addTenant(database.pool, 'One'),
    'admin',
    'a@one.test',
  );
  const console = createTestConsole(
    database.pool,
    providerRegistryRoutes,
    createProviderRegistryHandlers({
      system,
      checkEndpointUrl: (text) => ({ ok: true, url: new URL(text) }),
    }),
  );
  list = () => console({ principal }).listProviderRegistry();
});
afterAll(() => database.close());
beforeEach(() => database.pool.query('DELETE FROM provider_registry'));

it('syncRegistry adds one row for each provider in code, even if many nodes start concurrently', async () => {
  await Promise.all(Array.from({ length: 5 }, () => syncRegistry(system)));
  const entries = await list();
  expect(entries.map((entry) => entry.provider_key)).toEqual(Object.keys(providers));
  expect(entries.find((entry) => entry.provider_key === 'openai')).toMatchObject({
    value: 'openai',
    display_name: 'OpenAI',
    label: 'OpenAI',
    default_endpoint: 'https://api.openai.com/v1',
    is_active: true,
  });
});

it('listProviderRegistry returns form defaults: endpoint, models and default model', async () => {
  await syncRegistry(system);
  await database.pool.query(
    "UPDATE provider_registry SET supported_models = '{only-this}' WHERE provider_key = 'mistral'",
  );
  const byKey = Object.fromEntries((await list()).map((entry) => [entry.provider_key, entry]));
  expect(byKey.anthropic).toMatchObject({
    suggested_endpoint: 'https://api.anthropic.com',
    default_model: 'claude-3-haiku-20240307',
    supported_models: expect.arrayContaining(['claude-3-haiku-20240307']),
  });
  expect(byKey.openai).toMatchObject({ default_model: 'gpt-3.5-turbo' });
  expect(byKey.mistral).toMatchObject({
    default_model: 'mistral-small-latest',
    supported_models: ['only-this'],
    models: ['only-this'],
  });
  expect(byKey.groq).toMatchObject({ default_model: 'default' });
  expect(byKey.azure_openai).toMatchObject({
    default_endpoint: null,
    suggested_endpoint: expect.stringContaining('.openai.azure.com'),
  });
});

it("syncRegistry keeps ids and operators' settings, and updates names", async () => {
  await syncRegistry(system);
  const before = await list();
  await database.pool.query(
    "UPDATE provider_registry SET is_active = false, display_name = 'Old name' WHERE provider_key = 'groq'",
  );
  await syncRegistry(system);
  expect(await list()).toEqual(
    before.map((entry) => (entry.provider_key === 'groq' ? { ...entry, is_active: false } : entry)),
  );
});

it('listProviderRegistry shows a provider unknown to this version as inactive', async () => {
  await database.pool.query(
    "INSERT INTO provider_registry (provider_key, display_name, icon) VALUES ('constructor', 'From the future', 'x')",
  );
  expect(await list()).toMatchObject([
    { provider_key: 'constructor', is_active: false, default_endpoint: null },
  ]);
});
