import { recentUseRoutes } from '@sluice/contract';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { withoutTriggers } from '#test/database/stored-rows.ts';
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

async function addUse(owner: Principal, hoursAgo: number, columns: Record<string, string | number> = {}) {
  const row = {
    tenant_id: owner.tenantId,
    node_slot: 1,
    requests: 1,
    model: 'gpt-4o-mini',
    ...subjectColumns,
    user_id: owner.userId,
    ...columns,
  };
  const names = Object.keys(row);
  await database.pool.query(
    `INSERT INTO usage_rollups (bucket_start, last_received_at, ${names.join(', ')})
     VALUES (date_bin('15 minutes', now() - $1 * interval '1 hour', '2000-01-01Z'),
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
  await addUse(mara, 1);
  await addUse(mara, 23, { model: 'o3' });
  await addUse(mara, 25);
  await addUse(mara, 2, { requests: 0, refusals: 3 });
  await addUse(admin, 3, {
    team_id: 21,
    task_id: 22,
    api_key_id: 23,
    llm_provider_id: 24,
    provider_key: 'anthropic',
    model: 'claude',
  });
  await addUse(stranger, 1);
});
afterAll(() => database.close());

describe('recent use', () => {
  it.each(Object.keys(subjectColumns))(
    'getRecentUse counts requests of the last 24 hours filtered by %s',
    async (name) => {
      const value = name === 'user_id' ? mara.userId : subjectColumns[name as keyof typeof subjectColumns];
      const use = await as(admin).getRecentUse({ query: { [name]: String(value) } });
      expect(use).toMatchObject({ requests: 2, users: 1, is_exact: true });
      const ageMs = Date.now() - Date.parse(use.last_request_at ?? '');
      expect(ageMs / 3_600_000).toBeCloseTo(1, 1);
    },
  );

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

  it("getRecentUse counts no requests for another tenant's objects", async () => {
    const query = { user_id: String(mara.userId) };
    const none = { requests: 0, users: 0, is_exact: true, last_request_at: null };
    expect(await as(stranger).getRecentUse({ query })).toEqual(none);
  });

  it('getRecentUse counts all requests of the tenant without a filter', async () => {
    expect(await as(admin).getRecentUse({ query: {} })).toMatchObject({ requests: 3, users: 2 });
  });
});

async function explainAll(work: () => Promise<unknown>): Promise<string[]> {
  const sent: { text: string; values: unknown[] }[] = [];
  const query = vi.spyOn(pg.Client.prototype, 'query');
  await work();
  for (const [statement, values = []] of query.mock.calls as unknown as [
    string | { text: string },
    unknown[]?,
  ][]) {
    const text = typeof statement === 'string' ? statement : statement.text;
    if (/usage_|request_logs/.test(text)) sent.push({ text, values });
  }
  query.mockRestore();
  const plans: string[] = [];
  for (const { text, values } of sent) {
    const { rows } = await database.pool.query(`EXPLAIN (ANALYZE, TIMING OFF) ${text}`, values);
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
  }
  return plans;
}

describe('a tenant with 200,000 sums of two days', () => {
  let busy: Principal;
  beforeAll(async () => {
    busy = await addPerson(database.pool, await addTenant(database.pool, 'Busy'), 'admin', 'busy@three.test');
    // Each 15-minute bucket has 1,000 sums of 2 requests. Daily sums are not read in this test.
    await withoutTriggers(database.pool, ['usage_rollups'], (client) =>
      client.query(
        `INSERT INTO usage_rollups (bucket_start, last_received_at, node_slot, tenant_id, user_id, provider_key, model, requests)
         SELECT bucket, bucket + interval '1 minute', 1, $1, n, 'openai', 'gpt-' || n % 3, 2
         FROM generate_series(date_bin('15 minutes', now() - interval '50 hours', '2000-01-01Z'), now() - interval '20 minutes', '15 minutes') bucket,
           generate_series(1, 1000) n`,
        [busy.tenantId],
      ),
    );
    await database.pool.query('ANALYZE usage_rollups');
  });

  it.each([{}, { provider_key: 'openai', model_pattern: 'gpt-*' }, { user_id: '7' }])(
    'getRecentUse by %j reads at most 20,000 sums per statement, through an index, and no log rows',
    async (query) => {
      const use = await as(busy).getRecentUse({ query });
      const plans = await explainAll(() => as(busy).getRecentUse({ query }));
      expect(use.is_exact).toBe(false);
      expect(use.requests).toBeGreaterThan(0);
      expect(plans.length).toBeGreaterThan(0);
      for (const plan of plans) {
        expect(plan).not.toMatch(/Seq Scan|request_logs/);
        const rows = [...plan.matchAll(/usage_rollups.*actual (?:time=[^ ]+ )?rows=(\d+)/g)].map(
          ([, count]) => Number(count),
        );
        expect(rows.length).toBeGreaterThan(0);
        for (const count of rows) expect(count).toBeLessThanOrEqual(20_000);
      }
    },
  );
});
