import { llmProvidersRoutes, updateLlmProviderBody } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { syncRegistry } from '#console/provider-registry/sync-registry.ts';
import { createSystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { createKeyring } from '#platform/keyring.ts';
import { openSecret, providerKeyPlace } from '#platform/seal-secret.ts';
import { addPerson, addTenant, createTestConsole, noProvider } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createLlmProvidersHandlers } from './routes.ts';

const { sealingKey } = createKeyring('test');
let database: TestDatabase;
let as: (principal: Principal) => ReturnType<ReturnType<typeof createTestConsole<typeof llmProvidersRoutes>>>;
let admin: Principal;
let stranger: Principal;
let openaiId: number;
let id: number;

beforeAll(async () => {
  database = await createTestDatabase();
  await syncRegistry(createSystemDatabase(database.pool));
  const { rows } = await database.pool.query(
    "SELECT id FROM provider_registry WHERE provider_key = 'openai'",
  );
  openaiId = rows[0].id;
  admin = await addPerson(database.pool, await addTenant(database.pool, 'One'), 'admin', 'admin@one.test');
  stranger = await addPerson(database.pool, await addTenant(database.pool, 'Two'), 'admin', 'admin@two.test');
  const handlers = createLlmProvidersHandlers({
    ...noProvider,
    keyring: { sealingKey },
    checkEndpointUrl: (text) =>
      text.includes('metadata') ? { ok: false, reason: 'no' } : { ok: true, url: new URL(text) },
  });
  const console = createTestConsole(database.pool, llmProvidersRoutes, handlers);
  as = (principal) => console({ principal });
});
afterAll(() => database.close());

const create = async (more: object = {}, actor = admin) =>
  as(actor).createLlmProvider({
    body: {
      provider_registry_id: openaiId,
      provider_instance_name: 'Main',
      api_key: 'sk-first',
      enabled_models: ['a', 'b'],
      default_model: 'a',
      model_aliases: { fast: 'a' },
      ...more,
    },
  });
beforeEach(async () => {
  await database.pool.query('DELETE FROM llm_providers');
  ({ id } = await create());
});

const update = (body: object, actor = admin, target = id) =>
  as(actor).updateLlmProvider({ params: { id: target }, body });
const readKey = async () => {
  const { rows } = await database.pool.query('SELECT sealed_api_key FROM llm_providers WHERE id = $1', [id]);
  return openSecret(sealingKey, providerKeyPlace(admin.tenantId, id), rows[0].sealed_api_key);
};
const refusedAt = (field: string) => ({ status: 422, detail: [{ loc: ['body', field] }] });

describe('updateLlmProvider', () => {
  it('updateLlmProvider changes only the given fields and returns the row', async () => {
    const [before] = await as(admin).listLlmProviders();
    const changed = await update({ provider_instance_name: 'New', is_active: false });
    expect(changed).toEqual({ ...before, provider_instance_name: 'New', is_active: false });
    expect(await as(admin).listLlmProviders()).toEqual([changed]);
    expect(await readKey()).toBe('sk-first');
  });

  it('updateLlmProvider accepts an unchanged row and rejects changes of its fixed fields', async () => {
    const [row] = await as(admin).listLlmProviders();
    const { provider_registry_id, provider_key, is_service_managed, has_api_key } = row!;
    const { maintenance, fallback_position } = row!;
    const vendor = { provider_registry_id, provider_key, is_service_managed };
    expect(await update({ ...vendor, has_api_key, maintenance, fallback_position })).toEqual(row);
    for (const fixed of [
      { provider_registry_id: openaiId + 1 },
      { provider_key: 'anthropic' },
      { is_service_managed: true },
      { has_api_key: false },
      { maintenance: { since: '2026-11-01T00:00:00.000Z', until: null, reason: null } },
      { fallback_position: 3 },
    ]) {
      await expect(update(fixed)).rejects.toMatchObject(refusedAt(Object.keys(fixed)[0]!));
    }
  });

  it('updateLlmProvider changes nothing for an empty body', async () => {
    const [before] = await as(admin).listLlmProviders();
    expect(await update({})).toEqual(before);
  });

  it('updateLlmProvider accepts its current name in another case and rejects the name of another instance', async () => {
    await create({ provider_instance_name: 'Other', model_aliases: {} });
    expect((await update({ provider_instance_name: 'MAIN' })).provider_instance_name).toBe('MAIN');
    await expect(update({ provider_instance_name: 'other' })).rejects.toMatchObject(
      refusedAt('provider_instance_name'),
    );
  });

  it('updateLlmProvider requires the default model and alias targets to be enabled', async () => {
    await expect(update({ enabled_models: ['b'] })).rejects.toMatchObject(refusedAt('default_model'));
    await expect(update({ enabled_models: ['b'], default_model: null })).rejects.toMatchObject(
      refusedAt('model_aliases'),
    );
    const changed = await update({ enabled_models: ['b', 'b'], default_model: 'b', model_aliases: {} });
    expect(changed).toMatchObject({ enabled_models: ['b'], default_model: 'b', model_aliases: {} });
  });

  it("updateLlmProvider keeps the instance's aliases and rejects those of another instance", async () => {
    await create({ provider_instance_name: 'Other', model_aliases: { best: 'b' } });
    expect((await update({ model_aliases: { fast: 'b' } })).model_aliases).toEqual({ fast: 'b' });
    await expect(update({ model_aliases: { best: 'b' } })).rejects.toMatchObject(refusedAt('model_aliases'));
  });

  it('updateLlmProvider leaves one default instance per provider', async () => {
    await create({ provider_instance_name: 'Other', model_aliases: {}, is_default: true });
    await update({ is_default: true });
    const rows = await as(admin).listLlmProviders();
    expect(rows.filter((row) => row.is_default).map((row) => row.id)).toEqual([id]);
  });

  it('updateLlmProvider returns 404 for an instance of another tenant', async () => {
    for (const target of [id, 999_999]) {
      await expect(update({ is_active: false }, stranger, target)).rejects.toMatchObject({
        status: 404,
        detail: 'Provider not found',
      });
    }
  });

  it('updateLlmProvider rejects unknown fields', async () => {
    for (const field of ['tenant_id']) {
      await expect(update({ [field]: 1 }), field).rejects.toThrow(/unrecognized_keys/);
    }
  });
});

describe('the key and the endpoint of an instance', () => {
  it('updateLlmProvider requires the key with a new endpoint, which must not receive the stored key', async () => {
    await expect(update({ api_endpoint: 'https://thief.test/v1' })).rejects.toMatchObject(
      refusedAt('api_key'),
    );
    expect(await as(admin).listLlmProviders()).toMatchObject([{ api_endpoint: null }]);
    const api_endpoint = 'https://proxy.test/v1/chat/completions';
    const changed = await update({ api_endpoint, api_key: 'sk-second' });
    expect(changed.api_endpoint).toBe('https://proxy.test/v1');
    expect(await readKey()).toBe('sk-second');
    await expect(update({ api_endpoint: null })).rejects.toMatchObject(refusedAt('api_key'));
  });

  it('updateLlmProvider accepts the current endpoint with a trailing slash without a key', async () => {
    await update({ api_endpoint: 'https://proxy.test/v1', api_key: 'sk-second' });
    const changed = await update({ api_endpoint: 'https://proxy.test/v1/' });
    expect(changed.api_endpoint).toBe('https://proxy.test/v1');
  });

  it('updateLlmProvider accepts a new key alone, which no response contains', async () => {
    const changed = await update({ api_key: 'sk-second' });
    expect(JSON.stringify(changed)).not.toContain('sk-second');
    expect(await readKey()).toBe('sk-second');
    await expect(update({ api_key: '' })).rejects.toThrow(/API key cannot be empty/);
  });

  it('updateLlmProvider checks the endpoint with the outbound guard', async () => {
    await expect(update({ api_endpoint: 'http://metadata/', api_key: 'k' })).rejects.toMatchObject(
      refusedAt('api_endpoint'),
    );
  });

  it('updateLlmProvider requires a super administrator for a service-managed key or endpoint', async () => {
    await database.pool.query('UPDATE llm_providers SET is_service_managed = true');
    const forbidden = { status: 403 };
    await expect(update({ api_key: 'sk-own' })).rejects.toMatchObject(forbidden);
    await expect(update({ api_endpoint: 'https://other.example.com' })).rejects.toMatchObject(forbidden);
    expect((await update({ is_active: false })).is_active).toBe(false);
    const superAdmin: Principal = { ...admin, role: 'super_admin' };
    await expect(
      update({ enabled_models: ['a', 'new'], default_model: 'a' }, superAdmin),
    ).rejects.toMatchObject(refusedAt('enabled_models'));
    await update({ api_key: 'sk-shared' }, superAdmin);
    expect(await readKey()).toBe('sk-shared');
  });
});

describe('timeouts', () => {
  it('updateLlmProvider uses default timeouts until each is set, and again when cleared', async () => {
    expect(await update({ total_timeout_ms: 90_000 })).toMatchObject({
      connect_timeout_ms: null,
      total_timeout_ms: 90_000,
    });
    const changed = await update({ connect_timeout_ms: 500, provider_instance_name: 'Other' });
    expect(changed).toMatchObject({ connect_timeout_ms: 500, total_timeout_ms: 90_000 });
    expect(await update({ total_timeout_ms: null })).toMatchObject({ total_timeout_ms: null });
  });

  it.each([
    ['connect_timeout_ms', 100, 30_000],
    ['first_byte_timeout_ms', 1_000, 600_000],
    ['idle_timeout_ms', 1_000, 600_000],
    ['total_timeout_ms', 1_000, 3_600_000],
    ['stream_total_timeout_ms', 1_000, 3_600_000],
  ])('%s has the same bounds in the contract and in the database', async (name, min, max) => {
    const fits = (value: unknown) => updateLlmProviderBody.safeParse({ [name]: value }).success;
    expect([min - 1, min, max, max + 1, min + 0.5, '5'].map(fits)).toEqual([
      false,
      true,
      true,
      false,
      false,
      false,
    ]);
    const write = (value: number) =>
      database.pool.query(`UPDATE llm_providers SET ${name} = $1 WHERE id = $2`, [value, id]);
    await write(min);
    await write(max);
    await expect(write(min - 1)).rejects.toThrow(`${name}_check`);
    await expect(write(max + 1)).rejects.toThrow(`${name}_check`);
  });
});

describe('a service-managed provider', () => {
  const modelChanges = {
    enabled_models: ['gpt-4o'],
    available_models: ['gpt-4o', 'gpt-5'],
    default_model: null,
    model_aliases: { cheap: 'gpt-4o' },
    is_default: true,
  };
  const others = { is_active: false, provider_instance_name: 'Renamed' };
  const service = {
    enabled_models: ['gpt-4o', 'gpt-4o-mini'],
    available_models: [],
    default_model: 'gpt-4o',
    model_aliases: { fast: 'gpt-4o' },
  };
  beforeEach(async () => {
    await update(service);
    await database.pool.query('UPDATE llm_providers SET is_service_managed = true WHERE id = $1', [id]);
  });

  it('service-managed rules classify each field as models, key, fixed or neither', () => {
    const ofKey = ['api_key', 'api_endpoint'];
    const vendor = ['provider_registry_id', 'provider_key', 'is_service_managed'];
    const fixed = [...vendor, 'has_api_key', 'maintenance', 'fallback_position'];
    const timeouts = Object.keys(updateLlmProviderBody.shape).filter((name) => name.endsWith('_ms'));
    expect(new Set(Object.keys(updateLlmProviderBody.shape))).toEqual(
      new Set([...Object.keys(modelChanges), ...Object.keys(others), ...ofKey, ...fixed, ...timeouts]),
    );
  });

  it.each(Object.entries(modelChanges))(
    'updateLlmProvider rejects a change of %s by an administrator of its tenant',
    async (name, value) => {
      await expect(update({ [name]: value })).rejects.toMatchObject({ status: 403 });
      const superAdmin: Principal = { ...admin, role: 'super_admin' };
      expect(await update({ [name]: value }, superAdmin)).toMatchObject({ [name]: value });
    },
  );

  it('updateLlmProvider accepts a form in which only other fields changed', async () => {
    expect(await update({ ...service, ...others })).toMatchObject({ ...service, ...others });
  });

  it.each(['gpt-audio', 'gpt-image-1', 'gpt-4o-search-preview', 'o3-deep-research', 'gpt-realtime'])(
    'updateLlmProvider rejects %s even for a super administrator, because it costs more than tokens',
    async (model) => {
      const superAdmin: Principal = { ...admin, role: 'super_admin' };
      await expect(update({ enabled_models: ['gpt-4o', model] }, superAdmin)).rejects.toMatchObject({
        status: 422,
      });
    },
  );
});
