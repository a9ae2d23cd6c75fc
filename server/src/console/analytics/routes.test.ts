import { analyticsRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { countUsersNearLimit } from '#console/users/near-limits.ts';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createAnalyticsHandlers } from './routes.ts';

let database: TestDatabase;
let as: (principal: Principal) => ReturnType<ReturnType<typeof createTestConsole<typeof analyticsRoutes>>>;
let admin: Principal;
let mara: Principal;
let stranger: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
  const console = createTestConsole(
    database.pool,
    analyticsRoutes,
    createAnalyticsHandlers({ countUsersNearLimit }),
  );
  as = (principal) => console({ principal });
  const kathmandu = await addTenant(database.pool, 'One', { timeZone: 'Asia/Kathmandu' });
  admin = await addPerson(database.pool, kathmandu, 'admin', 'admin@one.test');
  mara = await addPerson(database.pool, kathmandu, 'user', 'mara@one.test');
  stranger = await addPerson(
    database.pool,
    await addTenant(database.pool, 'Two', { timeZone: 'Asia/Kathmandu' }),
    'admin',
    's@two.test',
  );
});
afterAll(() => database.close());
beforeEach(() => database.pool.query('TRUNCATE usage_rollups, usage_days'));

async function use(at: string, columns: object = {}, owner = mara): Promise<void> {
  const row = {
    bucket_start: at,
    node_slot: 0,
    tenant_id: owner.tenantId,
    user_id: owner.userId,
    api_key_id: 1,
    provider_key: 'openai',
    model: 'gpt-5',
    intent: 'coding',
    requests: 1,
    input_tokens: 10,
    ...columns,
  };
  const names = Object.keys(row);
  await database.pool.query(
    `INSERT INTO usage_rollups (${names.join(', ')}) VALUES (${names.map((_, place) => `$${place + 1}`).join(', ')})`,
    Object.values(row),
  );
}

const november = { start_date: '2026-11-01', end_date: '2026-11-03' };
const usageOf = (query: object) => as(admin).getUsageFigures({ query });

describe('usage date range', () => {
  it("getUsageFigures uses whole days of the tenant's time zone, including +5:45", async () => {
    // In Kathmandu, November 1 lasts from 18:15 UTC on October 31 to 18:15 UTC on November 1.
    await use('2026-10-31T18:00:00Z');
    await use('2026-10-31T18:15:00Z');
    await use('2026-11-01T18:00:00Z');
    await use('2026-11-01T18:15:00Z');
    expect(await usageOf({ start_date: '2026-11-01', end_date: '2026-11-01' })).toMatchObject({
      total_requests: 2,
      avg_requests_per_day: 2,
    });
    expect(await as(admin).listDailyUsage({ query: november })).toEqual([
      { date: '2026-11-01', tokens: 20, requests: 2, cost_usd: 0, unique_users: 1 },
      { date: '2026-11-02', tokens: 10, requests: 1, cost_usd: 0, unique_users: 1 },
      { date: '2026-11-03', tokens: 0, requests: 0, cost_usd: 0, unique_users: 0 },
    ]);
  });

  it('the range defaults to 7 days for getUsageFigures and 30 days for listDailyUsage and listTopUsers, including today', async () => {
    const { rows } = await database.pool.query<{ today: string; at: Date }>(
      `SELECT (now() AT TIME ZONE 'Asia/Kathmandu')::date::text AS today, date_bin('15 minutes', now(), 'epoch') AS at`,
    );
    const [{ today, at }] = rows as [{ today: string; at: Date }];
    const daysBack = (days: number) => new Date(at.getTime() - days * 24 * 3_600_000).toISOString();
    for (const days of [0, 6, 7, 29, 30]) await use(daysBack(days));
    expect((await usageOf({})).total_requests).toBe(2);
    expect((await usageOf({ end_date: '2020-01-01', days: 8 })).total_requests).toBe(3);
    const daily = await as(admin).listDailyUsage({ query: {} });
    expect([daily.length, daily.at(-1)?.date]).toEqual([30, today]);
    expect(await as(admin).listTopUsers({ query: {} })).toMatchObject([{ total_requests: 4 }]);
  });

  it.each([
    [{ start_date: '2026-11-02', end_date: '2026-11-01' }, 'The end date must not be before the start date'],
    [{ start_date: '2020-01-01', end_date: '2026-11-01' }, 'The date range may cover at most 366 days'],
    [{ start_date: '2026-02-30' }, 'Start date must be a day such as 2026-01-31'],
    [{ days: 0 }, 'Days must be at least 1'],
    [{ days: 367 }, 'Days must be at most 366'],
    [{ start: '2026-11-01' }, 'Unknown field: start'],
  ])('routes with a date range reject the invalid range %o and explain why', async (query, problem) => {
    const { getToday: _, listTopLabels, ...ranged } = as(admin);
    const calls: Promise<unknown>[] = Object.values(ranged).map((call) => call({ query: query as never }));
    calls.push(listTopLabels({ query: { label_name: 'project', ...query } as never }));
    expect(calls).toHaveLength(11);
    for (const call of calls) await expect(call).rejects.toThrow(problem);
  });

  it('getUsageFigures accepts dates from year 0 to year 9999', async () => {
    for (const day of ['0000-01-01', '0001-01-01', '9999-12-31'])
      expect((await usageOf({ start_date: day, end_date: day })).total_requests).toBe(0);
  });
});

describe('counted usage', () => {
  it("getUsageFigures counts accepted requests of the caller's tenant and the selected user", async () => {
    await use('2026-11-01T00:00:00Z', { intent: null, requests: 2 });
    await use('2026-11-01T00:00:00Z', { requests: 0, refusals: 5, input_tokens: 0 });
    await use('2026-11-01T00:00:00Z', {}, admin);
    await use('2026-11-01T00:00:00Z', {}, stranger);
    expect(await usageOf(november)).toEqual({
      total_requests: 3,
      avg_requests_per_day: 1,
      total_tokens_used: 20,
      active_users: 2,
      cost_usd: 0,
      intent_distribution: { not_classified: 2, coding: 1 },
      intents: [
        { intent: 'not_classified', requests: 2, tokens: 10, cost_usd: 0 },
        { intent: 'coding', requests: 1, tokens: 10, cost_usd: 0 },
      ],
      kept_since: expect.stringMatching(/^20\d\d-/),
      used_since: '2026-11-01',
    });
    expect(await usageOf({ ...november, user_id: mara.userId })).toMatchObject({ total_requests: 2 });
    expect(await usageOf({ ...november, user_id: stranger.userId })).toMatchObject({ total_requests: 0 });
    expect(await as(stranger).listTopUsers({ query: november })).toMatchObject([{ user_name: 's' }]);
  });

  it("getUsageFigures returns the first day whose usage is kept under the tenant's retention", async () => {
    await database.pool.query('UPDATE tenants SET usage_retention_days = 500 WHERE id = $1', [
      admin.tenantId,
    ]);
    const ageDays = (Date.now() - Date.parse((await usageOf(november)).kept_since)) / 86_400_000;
    expect(ageDays).toBeGreaterThan(499);
    expect(ageDays).toBeLessThan(502);
  });

  it("getUsageFigures returns the tenant's first day with usage, regardless of range and filters", async () => {
    expect((await usageOf(november)).used_since).toBeNull();
    await use('2026-10-09T12:00:00Z', { requests: 0, refusals: 5 });
    await use('2026-10-20T12:00:00Z', {}, stranger);
    expect((await usageOf(november)).used_since).toBeNull();
    await use('2026-11-02T12:00:00Z', {}, admin);
    await use('2026-11-03T12:00:00Z');
    const days = { start_date: '2026-11-03', end_date: '2026-11-03' };
    for (const query of [november, days, { ...november, user_id: mara.userId }])
      expect((await usageOf(query)).used_since).toBe('2026-11-02');
  });

  it('analytics lists are empty without usage', async () => {
    const {
      getUsageFigures,
      listDailyUsage,
      listTopLabels,
      getDeviationTimeline,
      getToday: _,
      ...lists
    } = as(admin);
    expect(await listTopLabels({ query: { ...november, label_name: 'project' } })).toEqual([]);
    expect(await getDeviationTimeline({ query: november })).toMatchObject({ series: [], events: [] });
    for (const list of Object.values(lists)) expect(await list({ query: november })).toEqual([]);
    expect(await getUsageFigures({ query: november })).toMatchObject({
      active_users: 0,
      intent_distribution: {},
    });
  });
});

describe('top lists', () => {
  it('listTopUsers returns at most `limit` users, sorted by requests or tokens', async () => {
    await use('2026-11-01T00:00:00Z', { requests: 3 }, admin);
    await use('2026-11-01T00:00:00Z', { requests: 2, input_tokens: 900 });
    const top = async (query: object) =>
      (await as(admin).listTopUsers({ query: { ...november, ...query } })).map((user) => user.user_name);
    expect(await top({})).toEqual(['admin', 'mara']);
    expect(await top({ metric: 'tokens' })).toEqual(['mara', 'admin']);
    expect(await top({ limit: 1 })).toEqual(['admin']);
  });

  it('listTopModels separates models by provider and returns their share of the total', async () => {
    await use('2026-11-01T00:00:00Z', { requests: 3 });
    await use('2026-11-01T00:00:00Z', { provider_key: 'azure_openai', requests: 1 }, admin);
    expect(await as(admin).listTopModels({ query: { ...november, limit: 1 } })).toEqual([
      {
        model: 'gpt-5',
        provider_key: 'openai',
        total_requests: 3,
        total_tokens: 10,
        cost_usd: 0,
        unique_users: 1,
        percentage: 75,
      },
    ]);
  });

  it('listTopApiKeys counts a request with a key for its user and for the team whose grant it used', async () => {
    const { rows } = await database.pool.query<{ id: number }>(
      "INSERT INTO teams (tenant_id, name) VALUES ($1, 'Red') RETURNING id",
      [admin.tenantId],
    );
    const team = { team_id: rows[0]!.id, requests: 3, last_received_at: '2026-11-01T00:07:00Z' };
    await use('2026-11-01T00:00:00Z', team);
    await use('2026-11-01T00:15:00Z');
    await use('2026-11-01T00:30:00Z', { api_key_id: null, requests: 50 });
    const ofUser = {
      entity_id: mara.userId,
      entity_name: 'mara',
      entity_type: 'user',
      total_requests: 4,
      total_tokens: 20,
      cost_usd: 0,
      percentage: 100,
      last_used: '2026-11-01T00:15:00.000Z',
    };
    const ofTeam = {
      entity_id: team.team_id,
      entity_name: 'Red',
      entity_type: 'team',
      total_requests: 3,
      total_tokens: 10,
      cost_usd: 0,
      percentage: 75,
      last_used: '2026-11-01T00:07:00.000Z',
    };
    const list = (query: object) => as(admin).listTopApiKeys({ query: { ...november, ...query } });
    expect(await list({})).toEqual([ofUser, ofTeam]);
    expect(await list({ breakdown: 'user' })).toEqual([ofUser]);
    expect(await list({ breakdown: 'team' })).toEqual([ofTeam]);
  });
});

it('listSpendByProvider names a deleted provider by its key', async () => {
  await use('2026-11-01T00:00:00Z', { cost_nano_usd: 5, user_llm_nano_usd: 5, provider_key: 'constructor' });
  expect(await as(admin).listSpendByProvider({ query: november })).toMatchObject([
    { provider_key: 'constructor', provider_name: 'constructor' },
  ]);
});

it('listSpendByProvider returns spending by day and provider name and omits entries without cost', async () => {
  await database.pool.query(
    "INSERT INTO provider_registry (provider_key, display_name, icon) VALUES ('acme', 'Acme AI', 'x')",
  );
  const own = { cost_nano_usd: 5, user_llm_nano_usd: 5 };
  await use('2026-11-01T00:00:00Z', own);
  await use('2026-11-01T00:15:00Z', { cost_nano_usd: 7, company_llm_nano_usd: 7 });
  await use('2026-11-01T18:15:00Z', { ...own, provider_key: 'acme' });
  await use('2026-11-02T18:15:00Z');
  expect(await as(admin).listSpendByProvider({ query: november })).toEqual([
    {
      provider_key: 'openai',
      provider_name: 'OpenAI',
      date: '2026-11-01',
      user_llm_spend: 5e-9,
      company_llm_spend: 7e-9,
      total_spend: 12e-9,
    },
    {
      provider_key: 'acme',
      provider_name: 'Acme AI',
      date: '2026-11-02',
      user_llm_spend: 5e-9,
      company_llm_spend: 0,
      total_spend: 5e-9,
    },
  ]);
});

describe('getToday', () => {
  const run = (statement: string, ...values: unknown[]) => database.pool.query(statement, values);
  const nothing = {
    date: expect.any(String),
    total_requests: 0,
    failed_requests: 0,
    refused_requests: [],
    users_near_limit: 0,
    open_appeals: 0,
    failing_providers: [],
    total_spend: 0,
    expiring_keys_count: 0,
    expiring_keys: [],
  };
  const zone = 'Asia/Kathmandu';
  const startOfDay = `date_trunc('day', now(), '${zone}')`;
  const at = async (instant: string) => (await run(`SELECT (${instant})::text AS at`)).rows[0].at as string;

  it('getToday lists the active keys that expire within 14 days, soonest first', async () => {
    const add = (name: string, owner: Principal, columns: string) =>
      database.pool.query(
        `INSERT INTO api_keys (tenant_id, user_id, name, key_hash, last4, scopes, expires_at, revoked_at)
         VALUES ($1, $2, $3::text, sha256(convert_to($3::text, 'UTF8')), 'x4f2', '{models}', ${columns})`,
        [owner.tenantId, owner.userId, name],
      );
    await add('Later', admin, "now() + interval '13 days', NULL");
    await add('Soon', mara, "now() + interval '1 day', NULL");
    await add('Revoked', mara, "now() + interval '2 days', now()");
    const tom = await addPerson(database.pool, admin.tenantId, 'user', 'tom@one.test');
    await add('Far', tom, "now() + interval '15 days', NULL");
    await add('Foreign', stranger, "now() + interval '1 day', NULL");
    const { expiring_keys_count, expiring_keys } = await as(admin).getToday();
    await database.pool.query('TRUNCATE api_keys CASCADE');
    expect(expiring_keys_count).toBe(2);
    expect(expiring_keys).toEqual([
      { user_id: mara.userId, user_name: 'mara', key_name: 'Soon', expires_at: expect.any(String) },
      { user_id: admin.userId, user_name: 'admin', key_name: 'Later', expires_at: expect.any(String) },
    ]);
  });

  it("getToday is empty in the morning, regardless of yesterday's usage", async () => {
    await use(await at(`${startOfDay} - interval '15 minutes'`), { errors: 1, cost_nano_usd: 5 });
    expect(await as(admin).getToday()).toEqual(nothing);
  });

  it('getToday returns requests, errors, rejections, spending and users near a limit', async () => {
    const morning = await at(startOfDay);
    await use(morning, { requests: 9, errors: 2, llm_provider_id: 77, cost_nano_usd: 5, refusals: 3 });
    await use(morning, { requests: 4, llm_provider_id: 78, cost_nano_usd: 7 });
    const refuse = (code: string, repeats: number, owner = mara) =>
      run(
        `INSERT INTO request_logs (id, tenant_id, user_id, protocol, operation, status, http_status, error_code, is_stream,
           attempts, repeats, received_at, response_time_ms, usage_source)
         VALUES (overlay(uuid_floor(${startOfDay})::text placing $1 from 25)::uuid, $2, $3, 'p', 'o', 'refused', 403, $4,
           false, 0, $5, now(), 1, 'none')`,
        crypto.randomUUID().slice(24),
        owner.tenantId,
        owner.userId,
        code,
        repeats,
      );
    await refuse('policy_blocked', 1);
    await refuse('model_blacklisted', 5);
    await refuse('model_blacklisted', 2);
    await refuse('policy_blocked', 50, stranger);
    await run('UPDATE users SET daily_quota = 100, monthly_quota = 1000 WHERE id = $1', mara.userId);
    await run(
      `INSERT INTO allowances (tenant_id, kind, subject_id, window_start, settled, leased, requests)
       VALUES ($1, 'tokens_per_day', $2, ${startOfDay}, 79, 0, 1)`,
      mara.tenantId,
      mara.userId,
    );
    const seen = {
      ...nothing,
      total_requests: 13,
      failed_requests: 2,
      refused_requests: [
        { reason: 'model_blacklisted', count: 7 },
        { reason: 'policy_blocked', count: 1 },
      ],
      failing_providers: [
        { llm_provider_id: 77, provider_instance_name: 'Provider #77', requests: 9, errors: 2 },
      ],
      total_spend: 12e-9,
      expiring_keys_count: 0,
      expiring_keys: [],
    };
    expect(await as(admin).getToday()).toEqual(seen);
    await run('UPDATE allowances SET settled = 80 WHERE subject_id = $1', mara.userId);
    expect(await as(admin).getToday()).toEqual({ ...seen, users_near_limit: 1 });
    await run('UPDATE users SET daily_quota = NULL, monthly_quota = NULL WHERE id = $1', mara.userId);
    expect(await as(admin).getToday()).toEqual(seen);
    await run(
      `WITH added AS (INSERT INTO budgets (tenant_id, user_id, measure, period, limit_amount)
         VALUES ($1, $2, 'tokens', 'total', 100) RETURNING id)
       INSERT INTO allowances (tenant_id, kind, subject_id, window_start, limit_amount, settled, leased, requests)
       SELECT $1, kind_of_budget('tokens'), id, '-infinity', 100, 96, 0, 1 FROM added`,
      mara.tenantId,
      mara.userId,
    );
    expect(await as(admin).getToday()).toEqual({ ...seen, users_near_limit: 1 });
    await run("UPDATE budgets SET action = 'warn' WHERE user_id = $1", mara.userId);
    expect(await as(admin).getToday()).toEqual(seen);
    await run('DELETE FROM budgets WHERE user_id = $1', mara.userId);
    await run('UPDATE users SET daily_quota = 100 WHERE id = $1', mara.userId);
    expect(await as(stranger).getToday()).toMatchObject({
      total_requests: 0,
      users_near_limit: 0,
      refused_requests: [{ reason: 'policy_blocked', count: 50 }],
    });
  });
});

describe('names of deleted objects', () => {
  const addDeleted = async (table: 'teams' | 'llm_providers', columns: Record<string, unknown>) => {
    const row = { tenant_id: admin.tenantId, ...columns };
    const { rows } = await database.pool.query<{ id: number }>(
      `INSERT INTO ${table} (${Object.keys(row)}) VALUES (${Object.keys(row).map((_, at) => `$${at + 1}`)}) RETURNING id`,
      Object.values(row),
    );
    const id = rows[0]!.id;
    await database.pool.query(`DELETE FROM ${table} WHERE id = $1`, [id]);
    return id;
  };
  const reports: Record<string, () => Promise<(string | undefined)[]>> = {
    listTopTeams: async () =>
      (await as(admin).listTopTeams({ query: november })).map(({ team_name }) => team_name),
    listTopApiKeys: async () =>
      (await as(admin).listTopApiKeys({ query: { ...november, breakdown: 'team' } })).map(
        ({ entity_name }) => entity_name,
      ),
    getDeviationTimeline: async () =>
      (await as(admin).getDeviationTimeline({ query: { ...november, breakdown: 'team' } })).series.map(
        ({ entity_name }) => entity_name,
      ),
  };

  it.each(Object.keys(reports))('%s names a deleted team by its last name', async (report) => {
    const teamId = await addDeleted('teams', { name: `Payments for ${report}` });
    await use('2026-11-01T18:15:00Z', { team_id: teamId, scored_requests: 1, score_sum: 0.5 });
    expect(await reports[report]?.()).toEqual([`Payments for ${report} (deleted)`]);
    await use('2026-11-01T18:15:00Z', { team_id: 987_654, requests: 2, scored_requests: 2, score_sum: 0 });
    expect((await reports[report]?.())?.toSorted()).toEqual([
      `Payments for ${report} (deleted)`,
      'Team #987654',
    ]);
  });

  it('getToday names a deleted provider by its last name', async () => {
    const registry = await database.pool.query<{ id: number }>('SELECT id FROM provider_registry LIMIT 1');
    const id = await addDeleted('llm_providers', {
      provider_registry_id: registry.rows[0]?.id,
      provider_instance_name: 'Azure Europe',
    });
    const now = await database.pool.query<{ at: Date }>(
      "SELECT date_bin('15 minutes', now(), 'epoch') AS at",
    );
    await use(now.rows[0]!.at.toISOString(), { llm_provider_id: id, errors: 1 });
    expect((await as(admin).getToday()).failing_providers).toMatchObject([
      { llm_provider_id: id, provider_instance_name: 'Azure Europe (deleted)' },
    ]);
  });

  it('a deleted user is named by number only', async () => {
    const gone = await addPerson(database.pool, admin.tenantId, 'user', 'gone@one.test');
    await database.pool.query('DELETE FROM users WHERE id = $1', [gone.userId]);
    await use('2026-11-01T18:15:00Z', {}, gone);
    expect(await as(admin).listTopUsers({ query: november })).toMatchObject([
      { user_name: `User #${gone.userId}` },
    ]);
  });
});

describe('getDeviationTimeline', () => {
  const run = (statement: string, ...values: unknown[]) => database.pool.query(statement, values);
  const timelineOf = (query: object, who = admin) => as(who).getDeviationTimeline({ query });
  const scored = (score: number) => ({ scored_requests: 1, score_sum: score });

  it('getDeviationTimeline sorts by mean, highest first, and returns only days with requests', async () => {
    await use('2026-11-01T00:00:00Z', scored(0.2));
    await use('2026-11-02T00:00:00Z', scored(0.4));
    await use('2026-11-02T00:00:00Z', { ...scored(0.9), user_id: admin.userId });
    await use('2026-11-03T00:00:00Z', { user_id: 4711 });
    const { dates, series } = await timelineOf(november);
    expect(dates).toEqual(['2026-11-01', '2026-11-02', '2026-11-03']);
    expect(series.map(({ entity_name, requests }) => [entity_name, requests])).toEqual([
      ['admin', 1],
      ['mara', 2],
    ]);
    expect(series[1]?.days).toEqual([
      { date: '2026-11-01', requests: 1, average_deviation_score: 0.2 },
      { date: '2026-11-02', requests: 1, average_deviation_score: 0.4 },
    ]);
    expect((await timelineOf({ ...november, limit: 1 })).series).toHaveLength(1);
    expect((await timelineOf({ ...november, user_id: mara.userId })).series).toMatchObject([
      { entity_id: mara.userId },
    ]);
    expect((await timelineOf(november, stranger)).series).toEqual([]);
  });

  it("getDeviationTimeline returns the tenant's policy changes and appeals in the range by day", async () => {
    const policy = (tenantId: number, mode: string) =>
      run('UPDATE tenants SET deviation_policy = $2 WHERE id = $1', tenantId, JSON.stringify({ mode }));
    await policy(admin.tenantId, 'warn');
    await policy(stranger.tenantId, 'block');
    await run('UPDATE tenants SET name = name || $2 WHERE id = $1', admin.tenantId, '!');
    const appeal = async (who: Principal, status: string) => {
      const { rows } = await run(
        `WITH block AS (
           INSERT INTO score_events (tenant_id, user_id, kind, score_before, score_after, reason)
           VALUES ($1, $2, 'block', 0.8, 0.9, 'x') RETURNING id
         )
         INSERT INTO appeals (tenant_id, user_id, score_event_id, message, status, created_at, decided_at)
         SELECT $1, $2, id, 'please', $3, now() - interval '40 days', CASE WHEN $3 <> 'open' THEN now() END FROM block
         RETURNING id`,
        who.tenantId,
        who.userId,
        status,
      );
      return rows[0].id as number;
    };
    const denied = await appeal(mara, 'denied');
    await appeal(stranger, 'granted');
    const seen = (await timelineOf({ days: 30 })).events;
    expect(seen.map(({ kind, user_name }) => [kind, user_name])).toEqual([
      ['policy_changed', null],
      ['appeal_denied', 'mara'],
    ]);
    expect(seen[1]?.id).toBe(denied);
    const kindsOf = async (query: object) => (await timelineOf(query)).events.map(({ kind }) => kind);
    expect(await kindsOf({ days: 60 })).toEqual(['appeal_opened', 'policy_changed', 'appeal_denied']);
    expect(await kindsOf({ days: 30, user_id: admin.userId })).toEqual(['policy_changed']);
  });
});
