import { blacklistRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { syncRegistry } from '#console/provider-registry/sync-registry.ts';
import { createSystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createBlacklistHandlers } from './routes.ts';

let database: TestDatabase;
let as: (principal: Principal) => ReturnType<ReturnType<typeof createTestConsole<typeof blacklistRoutes>>>;
let admin: Principal;
let stranger: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
  await syncRegistry(createSystemDatabase(database.pool));
  admin = await addPerson(database.pool, await addTenant(database.pool, 'One'), 'admin', 'ada@one.test');
  stranger = await addPerson(database.pool, await addTenant(database.pool, 'Two'), 'admin', 's@two.test');
  const console = createTestConsole(database.pool, blacklistRoutes, createBlacklistHandlers());
  as = (principal) => console({ principal });
});
afterAll(() => database.close());
beforeEach(() => database.pool.query('DELETE FROM blacklist_entries'));

const entry = { provider_key: 'openai', model_pattern: 'gpt-4*', reason: 'Cost management' };
const add = (more: object = {}, principal = admin) =>
  as(principal).addBlacklistEntry({ body: { ...entry, ...more } });
const check = (provider_key: string, model_name: string, principal = admin) =>
  as(principal).checkBlacklist({ body: { provider_key, model_name } });

describe('addBlacklistEntry', () => {
  it('addBlacklistEntry returns the trimmed entry with its author', async () => {
    const added = await add({
      provider_key: ' openai ',
      model_pattern: ' gpt-4* ',
      reason: ' Cost management ',
      description: '  too dear ',
    });
    expect(added).toEqual({
      id: expect.any(Number),
      ...entry,
      description: 'too dear',
      blocked_by_user_name: 'ada',
      created_at: expect.any(String),
    });
    expect(await as(admin).listBlacklist()).toEqual([added]);
    expect(await as(stranger).listBlacklist()).toEqual([]);
  });

  it('addBlacklistEntry stores an empty pattern and description as null', async () => {
    for (const model_pattern of [undefined, null, '']) {
      const added = await add({ provider_key: `p${model_pattern}`, model_pattern, description: ' ' });
      expect(added).toMatchObject({ model_pattern: null, description: null });
    }
  });

  it('addBlacklistEntry rejects a blank pattern, which would block the whole provider', async () => {
    for (const model_pattern of [' ', '\t \n']) {
      await expect(add({ model_pattern })).rejects.toThrow('Model pattern is required for partial blocking');
    }
  });

  it('addBlacklistEntry requires a provider and a reason', async () => {
    for (const field of ['provider_key', 'reason']) {
      for (const value of [undefined, '', '  ']) {
        await expect(add({ [field]: value })).rejects.toThrow('Provider key and reason are required');
      }
    }
  });

  it('addBlacklistEntry accepts keys of unknown providers', async () => {
    await add({ provider_key: 'Our-Own', model_pattern: undefined });
    expect(await check('our-own', 'any')).toMatchObject({ is_blacklisted: true });
  });

  it('addBlacklistEntry rejects an invalid pattern and explains the error', async () => {
    await expect(add({ model_pattern: '{gpt-4,o1' })).rejects.toMatchObject({
      status: 422,
      detail: [{ loc: ['body', 'model_pattern'], msg: expect.stringContaining('Braces must enclose') }],
    });
  });

  it('addBlacklistEntry rejects a duplicate within the tenant, ignoring case', async () => {
    await add();
    await expect(add({ provider_key: 'OpenAI', model_pattern: 'GPT-4*' })).rejects.toMatchObject({
      status: 409,
      detail: 'This entry is already on the blacklist',
    });
    await expect(add({}, stranger)).resolves.toBeDefined();
  });
});

describe('checkBlacklist', () => {
  it('checkBlacklist matches provider and pattern ignoring case, only within the tenant', async () => {
    await add({ model_pattern: '{gpt-4*,o1}' });
    expect(await check('OPENAI', 'GPT-4o')).toEqual({
      is_blacklisted: true,
      provider_key: 'OPENAI',
      model_name: 'GPT-4o',
      reason: 'Cost management',
    });
    const free = { is_blacklisted: false, reason: null };
    expect(await check('openai', 'o1-mini')).toMatchObject(free);
    expect(await check('anthropic', 'gpt-4')).toMatchObject(free);
    expect(await check('openai', 'gpt-4', stranger)).toMatchObject(free);
  });

  it('checkBlacklist requires a provider and a model', async () => {
    for (const [key, model] of [
      ['', 'x'],
      ['x', ' '],
    ] as const) {
      await expect(check(key, model)).rejects.toThrow('Both provider key and model name are required');
    }
  });
});

it("removeBlacklistEntry removes an entry once, and never another tenant's", async () => {
  const { id } = await add();
  const missing = { status: 404, detail: 'Blacklist entry not found' };
  await expect(as(stranger).removeBlacklistEntry({ params: { id } })).rejects.toMatchObject(missing);
  await as(admin).removeBlacklistEntry({ params: { id } });
  await expect(as(admin).removeBlacklistEntry({ params: { id } })).rejects.toMatchObject(missing);
});

it('getBlacklistSummary counts the entries and lists blocked providers and models', async () => {
  await add();
  await add({ model_pattern: 'o1' });
  await add({ provider_key: 'Cohere', model_pattern: undefined });
  await add({ provider_key: 'mistral' }, stranger);
  expect(await as(admin).getBlacklistSummary()).toEqual({
    summary: {
      total_entries: 3,
      providers_affected: ['cohere', 'openai'],
      complete_provider_blocks: ['cohere'],
      model_specific_blocks: ['openai: gpt-4*', 'openai: o1'],
    },
  });
});

it('listEnabledModels lists each model enabled by active instances once per provider', async () => {
  const addInstance = (tenantId: number, name: string, key: string, models: string[], isActive = true) =>
    database.pool.query(
      `INSERT INTO llm_providers (tenant_id, provider_registry_id, provider_instance_name, enabled_models, is_active)
       SELECT $1, id, $2, $4, $5 FROM provider_registry WHERE provider_key = $3`,
      [tenantId, name, key, models, isActive],
    );
  await addInstance(admin.tenantId, 'A', 'openai', ['gpt-5', 'o1']);
  await addInstance(admin.tenantId, 'B', 'openai', ['gpt-4', 'gpt-5']);
  await addInstance(admin.tenantId, 'C', 'mistral', ['small']);
  await addInstance(admin.tenantId, 'D', 'groq', ['llama'], false);
  await addInstance(stranger.tenantId, 'E', 'cohere', ['command']);
  expect(await as(admin).listEnabledModels()).toEqual([
    { provider_key: 'mistral', enabled_models: ['small'] },
    { provider_key: 'openai', enabled_models: ['gpt-4', 'gpt-5', 'o1'] },
  ]);
});

describe('exportBlacklist', () => {
  const rowsOf = async (query: object, who = admin) => {
    const file = (await as(who).exportBlacklist({ query: { format: 'jsonl', ...query } })) as Blob;
    const lines = (await file.text()).split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line).provider_key as string);
  };

  it("exportBlacklist contains the filtered entries of the caller's tenant", async () => {
    await add();
    await add({ provider_key: 'mistral', model_pattern: null, reason: 'Not reviewed' });
    await add({ provider_key: 'google' }, stranger);
    expect(await rowsOf({})).toEqual(['mistral', 'openai']);
    expect(await rowsOf({ provider_key: 'openai' })).toEqual(['openai']);
    expect(await rowsOf({ search: ' COST ' })).toEqual(['openai']);
    expect(await rowsOf({ search: 'ada' })).toEqual(['mistral', 'openai']);
    expect(await rowsOf({ search: '%' })).toEqual([]);
    expect(await rowsOf({}, stranger)).toEqual(['google']);
  });

  it('exportBlacklist escapes cells that a spreadsheet would run', async () => {
    await add({ reason: '=1+1' });
    const text = await ((await as(admin).exportBlacklist({ query: {} })) as Blob).text();
    expect(text).toContain("'=1+1");
  });
});
