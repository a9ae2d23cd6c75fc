import { createLlmProviderBody, llmProvidersRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { syncRegistry } from '#console/provider-registry/sync-registry.ts';
import { createSystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { createKeyring } from '#platform/keyring.ts';
import { openSecret, providerKeyPlace, SealBrokenError } from '#platform/seal-secret.ts';
import { addPerson, addTenant, createTestConsole, noProvider } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createLlmProvidersHandlers } from './routes.ts';

const { sealingKey } = createKeyring('test');
let database: TestDatabase;
let as: (principal: Principal) => ReturnType<ReturnType<typeof createTestConsole<typeof llmProvidersRoutes>>>;
let admin: Principal;
let stranger: Principal;
let registry: Record<string, number>;

beforeAll(async () => {
  database = await createTestDatabase();
  await syncRegistry(createSystemDatabase(database.pool));
  const { rows } = await database.pool.query('SELECT provider_key, id FROM provider_registry');
  registry = Object.fromEntries(rows.map((row) => [row.provider_key, row.id]));
  admin = await addPerson(database.pool, await addTenant(database.pool, 'One'), 'admin', 'admin@one.test');
  stranger = await addPerson(database.pool, await addTenant(database.pool, 'Two'), 'admin', 'admin@two.test');
  const handlers = createLlmProvidersHandlers({
    ...noProvider,
    keyring: { sealingKey },
    checkEndpointUrl: (text) =>
      text.includes('metadata')
        ? { ok: false, reason: 'metadata is a metadata service' }
        : text.includes('?')
          ? { ok: false, reason: 'stub: no query' }
          : { ok: true, url: new URL(text) },
  });
  const console = createTestConsole(database.pool, llmProvidersRoutes, handlers);
  as = (principal) => console({ principal });
});
afterAll(() => database.close());
beforeEach(() => database.pool.query('DELETE FROM llm_providers'));

const openai = (name: string, more: object = {}) => ({
  provider_registry_id: registry.openai!,
  provider_instance_name: name,
  api_key: 'sk-canary-1234567890',
  enabled_models: ['gpt-5', 'gpt-5-mini'],
  ...more,
});
const create = (body: ReturnType<typeof openai>, actor = admin) => as(actor).createLlmProvider({ body });
const refusedAt = (field: string, problem: string | RegExp = /./) => ({
  status: 422,
  detail: [{ loc: ['body', field], msg: expect.stringMatching(problem) }],
});

describe('createLlmProvider', () => {
  it('createLlmProvider accepts a registry id or a provider key, and requires one of them', async () => {
    const { provider_registry_id } = await create(openai('By key', { provider_registry_id: 'openai' }));
    expect(provider_registry_id).toBe(registry.openai);
    for (const [given, problem] of [
      ['', 'Provider type is required'],
      [null, 'Provider type is required'],
      ['Open AI', 'Provider key must contain only lowercase letters, digits, - and _'],
    ] as const) {
      const { error } = createLlmProviderBody.shape.provider_registry_id.safeParse(given);
      expect(error?.issues.map(({ message }) => message)).toEqual([problem]);
    }
    await expect(create(openai('None', { provider_registry_id: 'later' }))).rejects.toMatchObject(
      refusedAt('provider_registry_id', 'This provider is not available'),
    );
  });

  it('createLlmProvider returns the same fields as the list', async () => {
    const created = await create(
      openai('Main', { default_model: 'gpt-5', model_aliases: { fast: 'gpt-5-mini' } }),
    );
    expect(created).toEqual({
      id: expect.any(Number),
      provider_registry_id: registry.openai,
      provider_key: 'openai',
      provider_instance_name: 'Main',
      api_endpoint: null,
      has_api_key: true,
      enabled_models: ['gpt-5', 'gpt-5-mini'],
      available_models: [],
      default_model: 'gpt-5',
      model_aliases: { fast: 'gpt-5-mini' },
      is_default: false,
      is_active: true,
      is_service_managed: false,
      maintenance: null,
      fallback_position: null,
      connect_timeout_ms: null,
      first_byte_timeout_ms: null,
      idle_timeout_ms: null,
      total_timeout_ms: null,
      stream_total_timeout_ms: null,
      key_overlap: null,
      created_at: expect.any(String),
    });
    expect(await as(admin).listLlmProviders()).toEqual([created]);
    expect(await as(stranger).listLlmProviders()).toEqual([]);
  });

  it('createLlmProvider deduplicates models', async () => {
    const { enabled_models } = await create(openai('Main', { enabled_models: ['a', 'b', ' a '] }));
    expect(enabled_models).toEqual(['a', 'b']);
  });

  it('createLlmProvider requires a name unique in the tenant, ignoring case', async () => {
    await create(openai('Main'));
    await expect(create(openai('MAIN'))).rejects.toMatchObject(refusedAt('provider_instance_name'));
    await expect(create(openai('Main'), stranger)).resolves.toBeDefined();
  });

  it('createLlmProvider rejects providers that are unknown, disabled or unsupported in this version', async () => {
    await database.pool.query(`
      UPDATE provider_registry SET is_active = false WHERE provider_key = 'groq';
      INSERT INTO provider_registry (provider_key, display_name, icon) VALUES ('later', 'Later', 'x')
        ON CONFLICT DO NOTHING`);
    const { rows } = await database.pool.query(
      "SELECT id FROM provider_registry WHERE provider_key = 'later'",
    );
    for (const provider_registry_id of [999_999, registry.groq, rows[0].id]) {
      await expect(create(openai('Main', { provider_registry_id }))).rejects.toMatchObject(
        refusedAt('provider_registry_id', 'This provider is not available'),
      );
    }
  });

  it('createLlmProvider requires a super administrator for a service-managed instance', async () => {
    const body = openai('Managed', { is_service_managed: true });
    await expect(create(body)).rejects.toMatchObject({ status: 403 });
    const created = await create(body, { ...admin, role: 'super_admin' });
    expect(created.is_service_managed).toBe(true);
  });

  it('createLlmProvider rejects unknown fields', async () => {
    for (const field of ['tenant_id', 'sealed_api_key', 'created_by', 'id']) {
      await expect(create(openai('Main', { [field]: 1 })), field).rejects.toThrow(/unrecognized_keys/);
    }
  });
});

describe('the key of an instance', () => {
  const readSealed = async () => {
    const { rows } = await database.pool.query('SELECT id, sealed_api_key FROM llm_providers');
    return rows[0];
  };

  it('createLlmProvider encrypts the key for its tenant and row, and no response contains it', async () => {
    const created = await create(openai('Main'));
    const { id, sealed_api_key } = await readSealed();
    expect(JSON.stringify(created)).not.toContain('canary');
    expect(sealed_api_key.includes('canary')).toBe(false);
    expect(openSecret(sealingKey, providerKeyPlace(admin.tenantId, id), sealed_api_key)).toBe(
      'sk-canary-1234567890',
    );
    for (const place of [providerKeyPlace(stranger.tenantId, id), providerKeyPlace(admin.tenantId, id + 1)]) {
      expect(() => openSecret(sealingKey, place, sealed_api_key)).toThrow(SealBrokenError);
    }
  });

  it('createLlmProvider requires a key if the provider needs one', async () => {
    for (const api_key of [undefined, '', '  ']) {
      await expect(create(openai('Main', { api_key }))).rejects.toMatchObject(refusedAt('api_key'));
    }
  });

  it('createLlmProvider accepts a self-hosted server without a key', async () => {
    const created = await create(
      openai('Local', {
        provider_registry_id: registry.custom,
        api_key: undefined,
        api_endpoint: 'http://llm.test:8000/v1',
      }),
    );
    expect(created.has_api_key).toBe(false);
  });

  it('createLlmProvider rejects a key with characters that are invalid in a header', async () => {
    await expect(create(openai('Main', { api_key: 'sk-1\r\nx: y' }))).rejects.toThrow(/printable ASCII/);
  });
});

describe('the endpoint of an instance', () => {
  it('createLlmProvider stores the endpoint as the base URL with its version', async () => {
    const { api_endpoint } = await create(
      openai('Proxy', { api_endpoint: 'https://proxy.test/openai/v1/chat/completions/' }),
    );
    expect(api_endpoint).toBe('https://proxy.test/openai/v1');
  });

  it('createLlmProvider keeps the API version in endpoints whose URL requires it, such as those of Azure', async () => {
    const azure = (api_endpoint: string) =>
      create(openai('Azure', { provider_registry_id: registry.azure_openai, api_endpoint }));
    const { api_endpoint } = await azure(
      'https://r.openai.azure.com/openai/deployments/gpt-4o/chat/completions?api-version=2024-12-01-preview',
    );
    expect(api_endpoint).toBe('https://r.openai.azure.com/openai/deployments?api-version=2024-12-01-preview');
    for (const query of ['?api-version=1&x=1', '?x=1', '?api-version=', '?api-version=1#x']) {
      await expect(azure(`https://r.openai.azure.com/models${query}`), query).rejects.toMatchObject(
        refusedAt('api_endpoint', 'stub: no query'),
      );
    }
  });

  it('createLlmProvider rejects an endpoint with the reason of the outbound guard', async () => {
    await expect(create(openai('Main', { api_endpoint: 'http://metadata/v1' }))).rejects.toMatchObject(
      refusedAt('api_endpoint', 'metadata is a metadata service'),
    );
  });

  it('createLlmProvider requires an endpoint if the provider does not have a default one', async () => {
    await expect(create(openai('Local', { provider_registry_id: registry.custom }))).rejects.toMatchObject(
      refusedAt('api_endpoint', 'Endpoint is required'),
    );
  });

  it('createLlmProvider rejects an endpoint for the sandbox and requires no key for it', async () => {
    const sandbox = { provider_registry_id: registry.sandbox, api_key: undefined };
    await expect(
      create(openai('Sandbox', { ...sandbox, api_endpoint: 'http://127.0.0.1:1' })),
    ).rejects.toMatchObject(refusedAt('api_endpoint'));
    const created = await create(openai('Sandbox', sandbox));
    expect(created).toMatchObject({ provider_key: 'sandbox', api_endpoint: null, has_api_key: false });
  });
});

describe('the models of an instance', () => {
  it('createLlmProvider requires the default model and alias targets to be enabled', async () => {
    await expect(create(openai('Main', { default_model: 'gpt-4' }))).rejects.toMatchObject(
      refusedAt('default_model'),
    );
    await expect(create(openai('Main', { model_aliases: { fast: 'gpt-4' } }))).rejects.toMatchObject(
      refusedAt('model_aliases', "'fast' is an alias of 'gpt-4', which is not enabled"),
    );
  });

  it('createLlmProvider rejects an alias of another instance of the tenant', async () => {
    const fast = { model_aliases: { fast: 'gpt-5-mini', best: 'gpt-5' } };
    await create(openai('Main', fast));
    await expect(create(openai('Second', { model_aliases: { best: 'gpt-5' } }))).rejects.toMatchObject(
      refusedAt('model_aliases', "The alias 'best' is already used by another provider"),
    );
    await expect(create(openai('Main', fast), stranger)).resolves.toBeDefined();
  });

  it('createLlmProvider assigns an alias to only one of three concurrent calls', async () => {
    const outcomes = await Promise.allSettled(
      ['A', 'B', 'C'].map((name) => create(openai(name, { model_aliases: { fast: 'gpt-5' } }))),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('the default instance of a provider', () => {
  const readDefaults = async (actor = admin) =>
    (await as(actor).listLlmProviders())
      .filter((row) => row.is_default)
      .map((row) => row.provider_instance_name);

  it('createLlmProvider moves the default to the newest default instance of the tenant and provider', async () => {
    await create(openai('First', { is_default: true }));
    await create(openai('Mistral', { is_default: true, provider_registry_id: registry.mistral }));
    await create(openai('Other', { is_default: true }), stranger);
    await create(openai('Second', { is_default: true }));
    expect(await readDefaults()).toEqual(['Mistral', 'Second']);
    expect(await readDefaults(stranger)).toEqual(['Other']);
  });

  it('createLlmProvider keeps the default if the new instance is rejected', async () => {
    await create(openai('First', { is_default: true }));
    await expect(create(openai('first', { is_default: true }))).rejects.toMatchObject({ status: 422 });
    expect(await readDefaults()).toEqual(['First']);
  });

  it('createLlmProvider leaves one default after concurrent calls', async () => {
    await Promise.all(['A', 'B', 'C', 'D', 'E'].map((name) => create(openai(name, { is_default: true }))));
    expect(await readDefaults()).toHaveLength(1);
  });
});
