import { creditsRoutes, llmProvidersRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLlmProvidersHandlers } from '#console/llm-providers/routes.ts';
import { syncRegistry } from '#console/provider-registry/sync-registry.ts';
import { createSystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { createKeyring } from '#platform/keyring.ts';
import { addPerson, addTenant, createTestConsole, noProvider } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createCreditsHandlers } from './routes.ts';

let database: TestDatabase;
let as: (principal: Principal) => ReturnType<ReturnType<typeof createTestConsole<typeof creditsRoutes>>>;
let providersAs: (
  principal: Principal,
) => ReturnType<ReturnType<typeof createTestConsole<typeof llmProvidersRoutes>>>;
let operator: Principal;
let admin: Principal;
let stranger: Principal;
let registry: Record<string, number>;

beforeAll(async () => {
  database = await createTestDatabase();
  const system = createSystemDatabase(database.pool);
  await syncRegistry(system);
  const { rows } = await database.pool.query('SELECT provider_key, id FROM provider_registry');
  registry = Object.fromEntries(rows.map((row) => [row.provider_key, row.id]));
  admin = await addPerson(database.pool, await addTenant(database.pool, 'One'), 'admin', 'admin@one.test');
  stranger = await addPerson(database.pool, await addTenant(database.pool, 'Two'), 'admin', 'admin@two.test');
  operator = { ...admin, role: 'super_admin' };
  const credits = createTestConsole(database.pool, creditsRoutes, createCreditsHandlers({ system }));
  as = (principal) => credits({ principal });
  const { sealingKey } = createKeyring('test');
  const handlers = createLlmProvidersHandlers({
    ...noProvider,
    keyring: { sealingKey },
    checkEndpointUrl: (text) => ({ ok: true, url: new URL(text) }),
  });
  const providers = createTestConsole(database.pool, llmProvidersRoutes, handlers);
  providersAs = (principal) => providers({ principal });
});
afterAll(() => database.close());
beforeEach(() => database.pool.query('DELETE FROM price_overrides; DELETE FROM llm_providers'));

let instances = 0;
const addInstance = (provider: string, models: string[], more: object = {}, actor = admin) =>
  providersAs(actor).createLlmProvider({
    body: {
      provider_registry_id: registry[provider]!,
      provider_instance_name: `instance ${++instances}`,
      api_key: 'sk-test',
      api_endpoint: provider === 'custom' ? 'https://llm.test/v1' : undefined,
      enabled_models: models,
      ...more,
    },
  });
const price = { input: 3, output: 9 };

describe('pricing', () => {
  it("getPricing returns a provider's catalog models without the markup, which is a separate field", async () => {
    const { markup_percentage, models } = await as(admin).getPricing({ query: { provider: 'openai' } });
    expect(markup_percentage).toBe(20);
    expect(models['gpt-4o']).toEqual({
      input_per_1k: 0.0025,
      output_per_1k: 0.01,
      max_tokens: 128_000,
      price: { input: 2.5, cache_read: 1.25, output: 10 },
    });
    const one = await as(admin).getPricing({ query: { provider: 'openai', model: 'gpt-4o' } });
    expect(one.models).toEqual({ 'gpt-4o': models['gpt-4o'] });
  });

  it('getPricing without a provider returns the models that the tenant enables, even without a price', async () => {
    await addInstance('openai', ['gpt-4o']);
    await addInstance('custom', ['house-model']);
    await addInstance('openai', ['gpt-5'], {}, stranger);
    const { models } = await as(admin).getPricing({ query: {} });
    expect(Object.keys(models).sort()).toEqual(['custom/house-model', 'openai/gpt-4o']);
    expect(models['custom/house-model']).toBeNull();
  });

  it('getPricing returns a null price for an unknown model, never zero', async () => {
    const { models } = await as(admin).getPricing({ query: { provider: 'openai', model: 'gpt-unheard-of' } });
    expect(models).toEqual({ 'gpt-unheard-of': null });
    const estimate = as(admin).estimatePrice({
      query: { provider: 'openai', model: 'gpt-unheard-of', input_text: 'Hi' },
    });
    await expect(estimate).rejects.toMatchObject({
      status: 404,
      detail: 'No price is known for openai/gpt-unheard-of',
    });
  });
});

describe('estimatePrice', () => {
  it('estimatePrice returns the maximum cost of the request including the markup', async () => {
    const input_text = 'x'.repeat(3_000);
    const query = { provider: 'openai', model: 'gpt-4o', input_text };
    expect(await as(admin).estimatePrice({ query })).toEqual({
      provider: 'openai',
      model: 'gpt-4o',
      input_tokens: 1_000,
      max_output_tokens: 1_000,
      provider_cost: 0.0125,
      markup_percentage: 20,
      total_cost: 0.015,
    });
    const short = await as(admin).estimatePrice({ query: { ...query, max_output_tokens: '0' } });
    expect(short).toMatchObject({ provider_cost: 0.0025, total_cost: 0.003 });
  });
});

describe('findCheapestModel', () => {
  it("findCheapestModel picks from the tenant's models or a given provider with a sufficient context", async () => {
    await addInstance('openai', ['gpt-4o', 'gpt-3.5-turbo', 'text-embedding-3-small', 'gpt-4.1']);
    const cheapest = (query: object) => as(admin).findCheapestModel({ query });
    expect(await cheapest({})).toMatchObject({
      provider: 'openai',
      model: 'gpt-3.5-turbo',
      max_tokens: 16_385,
      input_per_1k: 0.0005,
    });
    expect(await cheapest({ min_tokens: 100_000 })).toMatchObject({ model: 'gpt-4.1' });
    const [claude, openai] = [
      await cheapest({ provider: 'anthropic' }),
      await cheapest({ provider: 'openai' }),
    ];
    expect(claude.model).toContain('claude');
    expect(openai.input_per_1k).toBeLessThan(0.0005);
    await expect(cheapest({ min_tokens: 99_000_000 })).rejects.toMatchObject({
      status: 404,
      detail: expect.stringContaining('is known to have a context window of 99,000,000 tokens or more.'),
    });
  });
});

describe('setPrice', () => {
  const readPrice = async (principal: Principal, provider: string, model: string) => {
    const { models } = await as(principal).getPricing({ query: { provider, model } });
    return models[model]?.price;
  };

  it('setPrice for an instance applies only to its tenant until it is removed', async () => {
    const { id: llm_provider_id } = await addInstance('custom', ['house-model']);
    const set = (given: typeof price | null) =>
      as(admin).setPrice({ body: { llm_provider_id, model: 'house-model', price: given } });
    expect(await set(price)).toEqual({ input_per_1k: 0.003, output_per_1k: 0.009, max_tokens: null, price });
    expect(await set({ ...price, output: 8 })).toMatchObject({ price: { output: 8 } });
    expect(await readPrice(admin, 'custom', 'house-model')).toEqual({ input: 3, output: 8 });
    expect(await readPrice(stranger, 'custom', 'house-model')).toBeUndefined();
    expect(await set(null)).toBeNull();
    expect(await readPrice(admin, 'custom', 'house-model')).toBeUndefined();
  });

  it('setPrice for a provider applies to all tenants and requires a super administrator', async () => {
    const body = { provider: 'openai', model: 'gpt-4o', price };
    await expect(as(admin).setPrice({ body })).rejects.toMatchObject({ status: 403 });
    await as(operator).setPrice({ body });
    expect(await readPrice(stranger, 'openai', 'gpt-4o')).toEqual(price);
    expect(await as(operator).setPrice({ body: { ...body, price: null } })).toMatchObject({
      price: { input: 2.5 },
    });
  });

  it("setPrice returns 404 for another tenant's instance and requires an operator for service-managed ones", async () => {
    const foreign = await addInstance('openai', ['gpt-4o'], {}, stranger);
    const managed = await addInstance('openai', ['gpt-4o'], { is_service_managed: true }, operator);
    const set = (llm_provider_id: number, actor: Principal) =>
      as(actor).setPrice({ body: { llm_provider_id, model: 'gpt-4o', price } });
    await expect(set(foreign.id, admin)).rejects.toMatchObject({ status: 404 });
    await expect(set(managed.id, admin)).rejects.toMatchObject({ status: 403 });
    expect(await set(managed.id, operator)).toMatchObject({ price });
  });

  it('setPrice requires either an instance or a provider', async () => {
    for (const owner of [{}, { llm_provider_id: 1, provider: 'openai' }]) {
      const attempt = as(operator).setPrice({ body: { ...owner, model: 'x', price } });
      await expect(attempt).rejects.toThrow('Specify an instance or a provider');
    }
  });

  it('setPrice notifies the nodes', async () => {
    const client = await database.pool.connect();
    const received: string[] = [];
    client.on('notification', ({ payload }) => received.push(payload ?? ''));
    await client.query('LISTEN sluice_changes');
    await as(operator).setPrice({ body: { provider: 'openai', model: 'gpt-4o', price } });
    await expect.poll(() => received).toEqual([expect.stringMatching(/^price_overrides:\d+$/)]);
    client.release(true);
  });
});

describe('service-managed instances', () => {
  it('a service-managed instance cannot enable a model without a known price', async () => {
    const attempt = addInstance('openai', ['gpt-4o', 'gpt-secret'], { is_service_managed: true }, operator);
    await expect(attempt).rejects.toMatchObject({
      status: 422,
      detail: [{ loc: ['body', 'enabled_models'], msg: expect.stringContaining("'gpt-secret'") }],
    });
    await as(operator).setPrice({ body: { provider: 'openai', model: 'gpt-secret', price } });
    const made = await addInstance(
      'openai',
      ['gpt-4o', 'gpt-secret'],
      { is_service_managed: true },
      operator,
    );
    expect(made.is_service_managed).toBe(true);
  });

  it('a service-managed instance can serve the sandbox with its simulated prices', async () => {
    const made = await addInstance(
      'sandbox',
      ['sandbox-normal'],
      { is_service_managed: true, api_key: undefined },
      operator,
    );
    expect(made.enabled_models).toEqual(['sandbox-normal']);
  });
});
