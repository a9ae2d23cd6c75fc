import { recentUseRoutes } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createRecentUseHandlers } from './routes.ts';

let database: TestDatabase;
let as: (principal: Principal) => ReturnType<ReturnType<typeof createTestConsole<typeof recentUseRoutes>>>;
let admin: Principal;
let mara: Principal;
let stranger: Principal;

const subjectColumns = {
  user_id: 0,
  team_id: 11,
  task_id: 12,
  api_key_id: 13,
  llm_provider_id: 14,
  provider_key: 'openai',
};

async function addLog(owner: Principal, hoursAgo: number, columns: Record<string, string | number> = {}) {
  const row = {
    tenant_id: owner.tenantId,
    protocol: 'openai-chat',
    operation: 'chat',
    status: 'success',
    http_status: 200,
    is_stream: false,
    attempts: 1,
    response_time_ms: 12.5,
    usage_source: 'provider',
    model: 'gpt-4o-mini',
    ...subjectColumns,
    user_id: owner.userId,
    ...columns,
  };
  const names = Object.keys(row);
  await database.pool.query(
    `INSERT INTO request_logs (id, received_at, ${names.join(', ')})
     VALUES (overlay(uuid_floor(now() - $1 * interval '1 hour')::text placing right(gen_random_uuid()::text, 12) from 25)::uuid,
       now() - $1 * interval '1 hour', ${names.map((_, place) => `$${place + 2}`).join(', ')})`,
    [hoursAgo, ...Object.values(row)],
  );
}

beforeAll(async () => {
  database = await createTestDatabase();
  const console = createTestConsole(database.pool, recentUseRoutes, createRecentUseHandlers());
  as = (principal) => console({ principal });
  const one = await addTenant(database.pool, 'One');
  admin = await addPerson(database.pool, one, 'admin', 'admin@one.test');
  mara = await addPerson(database.pool, one, 'user', 'mara@one.test');
  stranger = await addPerson(database.pool, await addTenant(database.pool, 'Two'), 'admin', 's@two.test');
  await addLog(mara, 1);
  await addLog(mara, 23, { model: 'o3' });
  await addLog(mara, 25);
  await addLog(mara, 2, { status: 'refused', http_status: 403 });
  await addLog(admin, 3, {
    team_id: 21,
    task_id: 22,
    api_key_id: 23,
    llm_provider_id: 24,
    provider_key: 'anthropic',
    model: 'claude',
  });
  await addLog(stranger, 1);
});
afterAll(() => database.close());

describe('recent use', () => {
  it.each(Object.keys(subjectColumns))('getRecentUse counts the requests of 24 hours by %s', async (name) => {
    const value = name === 'user_id' ? mara.userId : subjectColumns[name as keyof typeof subjectColumns];
    const use = await as(admin).getRecentUse({ query: { [name]: String(value) } });
    expect(use).toMatchObject({ requests: 2, users: 1, is_exact: true });
    const ageMs = Date.now() - Date.parse(use.last_request_at ?? '');
    expect(ageMs / 3_600_000).toBeCloseTo(1, 1);
  });

  it('getRecentUse counts several subjects together and combines filters', async () => {
    const both = { api_key_id: ['13', '23'] };
    expect(await as(admin).getRecentUse({ query: both })).toMatchObject({ requests: 3, users: 2 });
    const query = { ...both, provider_key: 'anthropic' };
    expect(await as(admin).getRecentUse({ query })).toMatchObject({ requests: 1, users: 1 });
  });

  it.each([
    ['gpt-*', 1],
    ['{GPT-4o-mini,o3}', 2],
    ['*', 2],
    ['claude', 0],
    ['{broken', 0],
  ])('getRecentUse matches the blacklist pattern %s', async (model_pattern, requests) => {
    const query = { provider_key: 'openai', model_pattern };
    expect(await as(admin).getRecentUse({ query })).toMatchObject({ requests });
  });

  it("getRecentUse sees nothing of another tenant's objects", async () => {
    const query = { user_id: String(mara.userId) };
    const none = { requests: 0, users: 0, is_exact: true, last_request_at: null };
    expect(await as(stranger).getRecentUse({ query })).toEqual(none);
  });

  it('getRecentUse counts all requests of the tenant without a filter', async () => {
    expect(await as(admin).getRecentUse({ query: {} })).toMatchObject({ requests: 3, users: 2 });
  });
});
