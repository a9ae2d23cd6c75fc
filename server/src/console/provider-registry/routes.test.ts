import { providerRegistryRoutes, updateProviderRegistryBody } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { providers } from '#providers/registry.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createProviderRegistryHandlers } from './routes.ts';
import { syncRegistry } from './sync-registry.ts';

let database: TestDatabase;
let system: SystemDatabase;
let operator: Principal;
let registry: ReturnType<ReturnType<typeof createTestConsole<typeof providerRegistryRoutes>>>;
const idOf = async (key: string) =>
  (await registry.listProviderRegistry()).find((entry) => entry.provider_key === key)!.id;

beforeAll(async () => {
  database = await createTestDatabase();
  system = createSystemDatabase(database.pool);
  const tenantId = await addTenant(database.pool, 'One');
  operator = await addPerson(database.pool, tenantId, 'super_admin', 'op@one.test');
  const handlers = createProviderRegistryHandlers({
    system,
    checkEndpointUrl: (text) => ({ ok: true, url: new URL(text) }),
  });
  registry = createTestConsole(
    database.pool,
    providerRegistryRoutes,
    handlers,
  )({
    principal: operator,
  });
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.pool.query('DELETE FROM llm_providers');
  await database.pool.query('DELETE FROM provider_registry');
  await syncRegistry(system);
});

const form = { provider_key: 'acme-ai', display_name: 'Acme AI', supported_models: ['a', 'b', 'a'] };
const create = (more: object = {}) => registry.createProviderRegistryEntry({ body: { ...form, ...more } });

describe('a custom provider', () => {
  it('createProviderRegistryEntry lists a provider with its models, inactive if no protocol supports it', async () => {
    const created = await create();
    expect(created).toMatchObject({
      provider_key: 'acme-ai',
      value: 'acme-ai',
      display_name: 'Acme AI',
      label: 'Acme AI',
      icon: '',
      supported_models: ['a', 'b'],
      is_active: false,
    });
    const { id } = created;
    expect(await registry.getProviderRegistryEntry({ params: { id } })).toEqual(created);
    expect(await registry.listProviderRegistry()).toContainEqual(created);
  });

  it('createProviderRegistryEntry enables an OpenAI-compatible provider, whose endpoint cannot change', async () => {
    const created = await create({ api_endpoint: 'https://llm.acme.test/v1/chat/completions' });
    expect(created).toMatchObject({
      is_active: true,
      is_built_in: false,
      is_key_optional: true,
      default_endpoint: 'https://llm.acme.test/v1',
      suggested_endpoint: 'https://llm.acme.test/v1',
    });
    // The endpoint is fixed, because tenants enter keys that are sent to it.
    expect(Object.keys(updateProviderRegistryBody.shape)).not.toContain('api_endpoint');
  });

  it('createProviderRegistryEntry requires a unique lowercase key', async () => {
    await create();
    await expect(create()).rejects.toMatchObject({
      status: 422,
      detail: [{ loc: ['body', 'provider_key'], msg: 'A provider with this key already exists' }],
    });
    for (const provider_key of ['', 'Acme', 'a b', '-a']) {
      await expect(create({ provider_key })).rejects.toThrow('Provider key must contain only lowercase');
    }
  });

  it('a custom provider can be updated, and deleted once', async () => {
    const { id } = await create();
    const body = { display_name: 'Acme', icon: 'acme', supported_models: [] };
    expect(await registry.updateProviderRegistryEntry({ params: { id }, body })).toMatchObject(body);
    await registry.deleteProviderRegistryEntry({ params: { id } });
    const missing = { status: 404, detail: 'Provider not found' };
    const lost = { params: { id } };
    await expect(registry.deleteProviderRegistryEntry(lost)).rejects.toMatchObject(missing);
    await expect(registry.getProviderRegistryEntry(lost)).rejects.toMatchObject(missing);
    await expect(registry.updateProviderRegistryEntry({ ...lost, body })).rejects.toMatchObject(missing);
  });

  it('deleteProviderRegistryEntry rejects a provider with instances', async () => {
    const { id } = await create();
    await database.pool.query(
      "INSERT INTO llm_providers (tenant_id, provider_registry_id, provider_instance_name) VALUES ($1, $2, 'Main')",
      [operator.tenantId, id],
    );
    await expect(registry.deleteProviderRegistryEntry({ params: { id } })).rejects.toMatchObject({
      status: 409,
      detail: 'A provider with instances cannot be deleted. Disable it instead',
    });
  });
});

it('activating a provider without a protocol is rejected, instead of leaving the provider inactive', async () => {
  const refusal = { status: 422, detail: [{ loc: ['body', 'is_active'] }] };
  await expect(create({ is_active: true })).rejects.toMatchObject(refusal);
  const { id } = await create();
  const activate = registry.updateProviderRegistryEntry({ params: { id }, body: { is_active: true } });
  await expect(activate).rejects.toMatchObject(refusal);
  const body = { is_active: false };
  expect(await registry.updateProviderRegistryEntry({ params: { id }, body })).toMatchObject(body);
});

it('updateProviderRegistryEntry accepts an unchanged row and rejects changes of its fixed fields', async () => {
  const created = await create();
  const params = { id: created.id };
  const { id: _id, display_name: _name, ...sentBack } = created;
  const body = { ...sentBack, display_name: 'Acme' };
  expect(await registry.updateProviderRegistryEntry({ params, body })).toMatchObject({ label: 'Acme' });
  for (const fixed of [
    { provider_key: 'other' },
    { value: 'other' },
    { label: 'Other' },
    { models: ['c'] },
    { default_endpoint: 'https://llm.acme.test/v1' },
    { suggested_endpoint: 'https://llm.acme.test/v1' },
    { default_model: 'c' },
    { is_built_in: true },
    { is_key_optional: true },
  ]) {
    await expect(registry.updateProviderRegistryEntry({ params, body: fixed })).rejects.toMatchObject({
      status: 422,
      detail: [{ loc: ['body', Object.keys(fixed)[0]], msg: 'This field cannot be changed' }],
    });
  }
});

describe('a built-in provider', () => {
  it('updateProviderRegistryEntry disables a built-in provider and changes its models, but not its name', async () => {
    const params = { id: await idOf('openai') };
    const body = { is_active: false, supported_models: ['gpt-5'], display_name: 'OpenAI' };
    expect(await registry.updateProviderRegistryEntry({ params, body })).toMatchObject(body);
    const renamed = registry.updateProviderRegistryEntry({ params, body: { display_name: 'Closed' } });
    await expect(renamed).rejects.toMatchObject({ status: 422, detail: [{ loc: ['body', 'display_name'] }] });
  });

  it('deleteProviderRegistryEntry rejects a built-in provider', async () => {
    const params = { id: await idOf('openai') };
    await expect(registry.deleteProviderRegistryEntry({ params })).rejects.toMatchObject({
      status: 409,
      detail: 'A built-in provider cannot be deleted. Disable it instead',
    });
  });
});

it('getProviderRegistryStats counts providers, models and instances', async () => {
  const before = await registry.getProviderRegistryStats();
  const total = Object.keys(providers).length;
  expect(before).toMatchObject({ total_providers: total, active_providers: total, total_instances: 0 });
  await create();
  expect(await registry.getProviderRegistryStats()).toEqual({
    ...before,
    total_providers: total + 1,
    total_models: before.total_models + 2,
  });
});
