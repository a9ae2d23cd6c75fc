import { type BudgetSubjectType, budgetsRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findPeriodWindow } from '#domain/allowance/period.ts';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addServiceAccount, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createBudgetsHandlers } from './routes.ts';

let database: TestDatabase;
let as: (principal: Principal) => ReturnType<ReturnType<typeof createTestConsole<typeof budgetsRoutes>>>;
let admin: Principal;
let mara: Principal;
let stranger: Principal;
let teamId: number;
const timeZone = 'Pacific/Auckland';

beforeAll(async () => {
  database = await createTestDatabase();
  const tenantId = await addTenant(database.pool, 'One', { timeZone });
  admin = await addPerson(database.pool, tenantId, 'admin', 'ada@one.test');
  mara = await addPerson(database.pool, tenantId, 'user', 'mara@one.test');
  const other = await addTenant(database.pool, 'Two');
  stranger = await addPerson(database.pool, other, 'admin', 's@two.test');
  const { rows } = await database.pool.query<{ id: number }>(
    "INSERT INTO teams (tenant_id, name) VALUES ($1, 'Platform') RETURNING id",
    [tenantId],
  );
  teamId = rows[0]!.id;
  const console = createTestConsole(database.pool, budgetsRoutes, createBudgetsHandlers());
  as = (principal) => console({ principal });
});
afterAll(() => database.close());
beforeEach(() => database.pool.query('DELETE FROM budgets'));

type NewBudget = Parameters<ReturnType<typeof as>['createBudget']>[0]['body'];
const monthly: NewBudget = { subject_type: 'tenant', measure: 'usd', window: 'month', limit: 50 };
const ofMara = () => ({ subject_type: 'user', subject_id: mara.userId }) as const;
const add = (more: Partial<NewBudget> = {}) => as(admin).createBudget({ body: { ...monthly, ...more } });

async function settle(id: number, settledUsd: number, atMs = Date.now()): Promise<void> {
  const { startMs } = findPeriodWindow({ unit: 'month', startsAtMs: null }, atMs, timeZone);
  await database.pool.query(
    `INSERT INTO allowances (tenant_id, kind, subject_id, window_start, limit_amount, settled, leased, requests, overrun)
     SELECT tenant_id, 'usd_budget', id, $2, limit_amount, $3, 1000000000, 7, 250000000 FROM budgets WHERE id = $1`,
    [id, new Date(startMs).toISOString(), settledUsd * 1e9],
  );
}

async function addForeignObjects(): Promise<Record<BudgetSubjectType, number>> {
  const { tenantId, userId } = stranger;
  const { rows } = await database.pool.query<{ team: number; key: number; task: number; provider: number }>(
    `WITH team AS (INSERT INTO teams (tenant_id, name) VALUES ($1, gen_random_uuid()) RETURNING id),
      key AS (
        INSERT INTO api_keys (tenant_id, user_id, name, key_hash, last4, scopes, kind)
        VALUES ($1, $2, 'k', uuid_send(gen_random_uuid()), 'last', '{models}', 'named') RETURNING id
      ),
      task AS (
        INSERT INTO tasks (tenant_id, title, description, category, difficulty_level, estimated_hours)
        VALUES ($1, 'A task', 'A task of the tests', 'coding', 'beginner', 1) RETURNING id
      ),
      vendor AS (
        INSERT INTO provider_registry (provider_key, display_name, icon) VALUES ('openai', 'OpenAI', 'openai')
        ON CONFLICT (provider_key) DO UPDATE SET icon = 'openai' RETURNING id
      ),
      provider AS (
        INSERT INTO llm_providers (tenant_id, provider_registry_id, provider_instance_name)
        SELECT $1, id, gen_random_uuid() FROM vendor RETURNING id
      )
     SELECT team.id AS team, key.id AS key, task.id AS task, provider.id AS provider FROM team, key, task, provider`,
    [tenantId, userId],
  );
  const { team, key, task, provider } = rows[0]!;
  const service_account = await addServiceAccount(database.pool, tenantId, crypto.randomUUID());
  const ofTeam = { team, team_member: team };
  return { tenant: tenantId, user: userId, service_account, api_key: key, task, provider, ...ofTeam };
}

describe('createBudget', () => {
  it('createBudget returns the budget with its subject and nothing spent', async () => {
    const created = await add({
      ...ofMara(),
      team_id: teamId,
      model_pattern: 'gpt-5*',
      limit: 12.5,
    });
    expect(created).toMatchObject({
      ...ofMara(),
      team_id: teamId,
      subject: 'user "mara" in team "Platform", models gpt-5*',
      limit: 12.5,
      effective_limit: 12.5,
      thresholds: [0.8, 1],
      action: 'refuse',
      spent: 0,
      held: 0,
      over_max: 0,
      used_percent: 0,
      raised_until: null,
    });
    expect(await as(admin).getBudget({ params: { id: created.id } })).toEqual(created);
    expect(await as(admin).listBudgets({ query: {} })).toEqual([created]);
    expect(await as(stranger).listBudgets({ query: {} })).toEqual([]);
  });

  it.each([
    [{ limit: -1 }, 'at least 0'],
    [{ subject_type: 'team' }, 'Enter the ID of the subject'],
    [{ subject_type: 'team_member', model_pattern: 'gpt*' }, 'cannot have this field'],
    [{ thresholds: [0.805] }, 'at most 2 decimals'],
    [{ limit: 9_000_001 }, 'at most $9,000,000'],
    [{ limit: 0.0000000001 }, 'at most 9 decimals'],
    [{ measure: 'tokens', limit: 1.5 }, 'whole number'],
    [{ action: 'downgrade' }, 'Enter the model to downgrade to'],
    [{ downgrade_to: 'small' }, 'A model to downgrade to requires'],
    [{ model_pattern: '{a,b' }, 'Braces must enclose'],
    [{ thresholds: [0] }, 'at least 0.01'],
  ] as const)('createBudget rejects %j', async (more, problem) => {
    await expect(
      add({ ...more, thresholds: 'thresholds' in more ? [...more.thresholds] : undefined }),
    ).rejects.toThrow(problem);
  });

  it.each([
    'tenant',
    'team',
    'team_member',
    'user',
    'service_account',
    'api_key',
    'task',
    'provider',
  ] as const)("createBudget rejects another tenant's %s like a missing one", async (subject_type) => {
    const foreign = await addForeignObjects();
    const failures = await Promise.all(
      [foreign[subject_type], 2_147_483_647].map((subject_id) =>
        add({ subject_type, subject_id }).catch((error: unknown) => error),
      ),
    );
    expect(failures[0]).toMatchObject({ status: 422, detail: [{ loc: ['body', 'subject_id'] }] });
    expect(failures[0]).toEqual(failures[1]);
  });

  it.each(['team_id', 'llm_provider_id'] as const)(
    'createBudget rejects an unknown %s and names the field',
    async (field) => {
      const failure = await add({ ...ofMara(), [field]: 2_147_483_647 }).catch((error: unknown) => error);
      expect(failure).toMatchObject({ status: 422, detail: [{ loc: ['body', field] }] });
    },
  );
});

describe('listBudgets', () => {
  it('listBudgets sorts and filters by the used percentage, and filters by subject', async () => {
    const [half, full, fresh] = [
      await add({ subject_type: 'team', subject_id: teamId }),
      await add(ofMara()),
      await add(),
    ];
    await settle(half.id, 25);
    await settle(full.id, 50.25);
    await settle(fresh.id, 49, Date.now() - 40 * 86_400_000);
    const all = await as(admin).listBudgets({ query: {} });
    expect(all.map(({ id, spent, used_percent }) => [id, spent, used_percent])).toEqual([
      [full.id, 50.25, 100.5],
      [half.id, 25, 50],
      [fresh.id, 0, 0],
    ]);
    expect(all[0]).toMatchObject({ held: 1, over_max: 0.25, requests: 7 });
    const idsOf = async (query: object) => (await as(admin).listBudgets({ query })).map(({ id }) => id);
    expect(await idsOf({ used_percent: 80 })).toEqual([full.id]);
    expect(await idsOf({ team_id: teamId })).toEqual([half.id]);
    expect(await idsOf({ skip: 1, limit: 1 })).toEqual([half.id]);
  });

  it("listOwnBudgets returns the budgets of the caller's teams only while the caller is an active member", async () => {
    const ofTeam = await add({ subject_type: 'team', subject_id: teamId });
    await add({ subject_type: 'user', subject_id: admin.userId, team_id: teamId });
    const ownIds = async () => (await as(mara).listOwnBudgets()).map(({ id }) => id);
    expect(await ownIds()).toEqual([]);
    await database.pool.query('INSERT INTO team_members (tenant_id, team_id, user_id) VALUES ($1, $2, $3)', [
      mara.tenantId,
      teamId,
      mara.userId,
    ]);
    expect(await ownIds()).toEqual([ofTeam.id]);
    await database.pool.query('UPDATE team_members SET is_active = false WHERE user_id = $1', [mara.userId]);
    expect(await ownIds()).toEqual([]);
  });

  it("listOwnBudgets returns only the budgets of the caller and the caller's keys", async () => {
    const own = await add(ofMara());
    const { rows } = await database.pool.query<{ id: number }>(
      `INSERT INTO api_keys (tenant_id, user_id, name, key_hash, last4, scopes)
       VALUES ($1, $2, 'laptop', uuid_send(gen_random_uuid()), 'last', '{models}') RETURNING id`,
      [mara.tenantId, mara.userId],
    );
    const ofKey = await add({ subject_type: 'api_key', subject_id: rows[0]!.id });
    await add({ ...ofMara(), subject_id: admin.userId });
    await add();
    expect((await as(mara).listOwnBudgets()).map(({ id }) => id)).toEqual([own.id, ofKey.id]);
    expect(ofKey.subject).toBe('API key "laptop" of user "mara"');
  });
});

describe('a change of a budget', () => {
  const limitOf = async (id: number) => {
    const { rows } = await database.pool.query<{ limit: number | null }>(
      'SELECT limit_amount::float8 / 1e9 AS limit FROM allowances WHERE subject_id = $1 ORDER BY window_start DESC',
      [id],
    );
    return rows.map(({ limit }) => limit);
  };

  it('updateBudget changes the current window immediately and keeps earlier windows', async () => {
    const { id } = await add();
    await settle(id, 1);
    await settle(id, 2, Date.now() - 40 * 86_400_000);
    const params = { id };
    expect(await as(admin).updateBudget({ params, body: { limit: 75 } })).toMatchObject({ limit: 75 });
    expect(await limitOf(id)).toEqual([75, 50]);
    expect(await as(admin).updateBudget({ params, body: { action: 'warn' } })).toMatchObject({
      action: 'warn',
    });
    expect(await limitOf(id)).toEqual([null, 50]);
    await expect(as(admin).updateBudget({ params, body: { action: 'downgrade' } })).rejects.toThrow(
      'Enter the model to downgrade to',
    );
    const routed = await as(admin).updateBudget({
      params,
      body: { action: 'downgrade', downgrade_to: 'small' },
    });
    expect(routed).toMatchObject({ action: 'downgrade', downgrade_to: 'small' });
    expect(await as(admin).updateBudget({ params, body: { action: 'refuse' } })).toMatchObject({
      downgrade_to: null,
    });
    await expect(as(admin).updateBudget({ params, body: { downgrade_to: 'small' } })).rejects.toThrow(
      'A model to downgrade to requires the action "downgrade"',
    );
    expect(await limitOf(id)).toEqual([75, 50]);
    await as(admin).deleteBudget({ params });
    expect(await limitOf(id)).toEqual([null, 50]);
  });

  it('raiseBudget raises the limit until endBudgetRaise is called, with a reason in the audit log', async () => {
    const { id } = await add();
    await settle(id, 45);
    const params = { id };
    const until = new Date(Date.now() + 86_400_000).toISOString();
    const raise = (body: object = {}) =>
      as(admin).raiseBudget({ params, body: { limit: 80, until, reason: 'release week', ...body } });
    await expect(raise({ limit: 50 })).rejects.toThrow('must be higher');
    await expect(raise({ until: new Date(0).toISOString() })).rejects.toThrow('in the future');
    await expect(raise({ reason: ' ' })).rejects.toThrow('A reason is required');
    expect(await raise()).toMatchObject({
      limit: 50,
      raised_limit: 80,
      raised_until: until,
      effective_limit: 80,
      used_percent: 56.3,
    });
    expect(await limitOf(id)).toEqual([80]);
    const { rows } = await database.pool.query(
      "SELECT after ->> 'raise_reason' AS reason FROM audit_entries WHERE object_type = 'budget' AND before IS NOT NULL OR after ? 'raise_reason'",
    );
    expect(rows).toContainEqual({ reason: 'release week' });
    expect(await as(admin).endBudgetRaise({ params })).toMatchObject({
      effective_limit: 50,
      raised_limit: null,
    });
    expect(await limitOf(id)).toEqual([50]);
  });

  it.each(['getBudget', 'deleteBudget', 'endBudgetRaise'] as const)(
    '%s returns a 404 for a budget of another tenant',
    async (name) => {
      const { id } = await add();
      await expect(as(stranger)[name]({ params: { id } })).rejects.toMatchObject({
        status: 404,
        detail: 'Budget not found',
      });
    },
  );
});

describe('getBudgetHistory', () => {
  const addUsage = (atMs: number, costUsd: number, model = 'gpt-5', userId = mara.userId) =>
    database.pool.query(
      `INSERT INTO usage_rollups (node_slot, bucket_start, tenant_id, user_id, model, requests, input_tokens, output_tokens, cost_nano_usd, user_llm_nano_usd)
       VALUES (1, date_bin('15 minutes', $1::timestamptz, '2000-01-01'), $2, $3, $4, 1, 10, 5, $5, $5)`,
      [new Date(atMs).toISOString(), admin.tenantId, userId, model, costUsd * 1e9],
    );

  it('getBudgetHistory returns the spending by the end of each day, up to the current amount', async () => {
    const { id } = await add({ ...ofMara(), model_pattern: 'gpt-5*', window: 'total' });
    const hourMs = 3_600_000;
    await database.pool.query("UPDATE budgets SET created_at = now() - interval '3 days' WHERE id = $1", [
      id,
    ]);
    await database.pool.query(
      `INSERT INTO allowances (tenant_id, kind, subject_id, window_start, limit_amount, settled, leased, requests, overrun)
       SELECT tenant_id, 'usd_budget', id, '-infinity', limit_amount, 7000000000, 0, 3, 0 FROM budgets WHERE id = $1`,
      [id],
    );
    const nowMs = Date.now();
    await addUsage(nowMs - 48 * hourMs, 4);
    await addUsage(nowMs - 24 * hourMs, 2);
    await addUsage(nowMs - 24 * hourMs, 90, 'other-model');
    await addUsage(nowMs - 24 * hourMs, 90, 'gpt-5', admin.userId);
    const { days, last_day } = await as(admin).getBudgetHistory({ params: { id } });
    expect(last_day).toBeNull();
    expect(days.map(({ spent }) => spent)).toEqual([1, 5, 7, 7]);
    expect(days.map(({ date }) => date)).toEqual(
      [72, 48, 24, 0].map((hours) =>
        new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date(nowMs - hours * hourMs)),
      ),
    );
  });

  it('getBudgetHistory returns the last day of the month for a monthly budget', async () => {
    const { id } = await add();
    await settle(id, 3);
    const { days, last_day } = await as(admin).getBudgetHistory({ params: { id } });
    expect(days).toEqual([{ date: expect.any(String), spent: 3 }]);
    const [year = 0, month = 0] = (days[0]?.date ?? '').split('-').map(Number);
    expect(last_day).toBe(new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10));
    await expect(as(stranger).getBudgetHistory({ params: { id } })).rejects.toMatchObject({ status: 404 });
  });
});

describe('replayBudget', () => {
  const dayMs = 86_400_000;
  beforeEach(() => database.pool.query('DELETE FROM request_logs'));

  async function addLog(
    atMs: number,
    costUsd: number,
    more: { model?: string; userId?: number; apiKeyId?: number } = {},
  ) {
    await database.pool.query(
      `INSERT INTO request_logs (id, tenant_id, user_id, team_id, protocol, operation, model, model_requested, status,
         http_status, is_stream, attempts, received_at, response_time_ms, usage_source, prompt_tokens, completion_tokens, cost_nano_usd, api_key_id)
       VALUES (overlay(overlay(overlay(uuid_floor($1)::text placing right(gen_random_uuid()::text, 12) from 25)
         placing '7' from 15) placing '8' from 20)::uuid, $2, $3, $4, 'openai-chat', 'chat.completions', $5, $5, 'success',
         200, false, 1, $1::timestamptz + interval '7 microseconds', 1, 'provider', 60, 40, $6, $7)`,
      [
        new Date(atMs).toISOString(),
        admin.tenantId,
        more.userId ?? mara.userId,
        teamId,
        more.model ?? 'gpt-5',
        costUsd * 1e9,
        more.apiKeyId ?? null,
      ],
    );
  }

  it('replayBudget for a key counts requests with the keys that it replaced and with their task keys', async () => {
    const addKey = async (mintedBy: number | null = null) => {
      const { rows } = await database.pool.query<{ id: number }>(
        `INSERT INTO api_keys (tenant_id, user_id, name, key_hash, last4, scopes, kind, minted_by)
         VALUES ($1, $2, 'k', sha256(gen_random_uuid()::text::bytea), '0000', '{completions}', $3, $4) RETURNING id`,
        [admin.tenantId, mara.userId, mintedBy === null ? 'named' : 'task', mintedBy],
      );
      return rows[0]!.id;
    };
    const [key, former, other] = [await addKey(), await addKey(), await addKey()];
    const minted = [await addKey(key), await addKey(former)];
    await database.pool.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [minted[1]]);
    await database.pool.query('UPDATE api_keys SET replaced_by = $1 WHERE id = $2', [key, former]);
    for (const apiKeyId of [key, former, other, ...minted]) await addLog(Date.now() - dayMs, 1, { apiKeyId });
    const budget = { ...monthly, subject_type: 'api_key', subject_id: key } as const;
    expect(await as(admin).replayBudget({ body: { budget, days: 30 } })).toMatchObject({ requests: 4 });
    const { id } = await add(budget);
    await database.pool.query("UPDATE budgets SET created_at = now() - interval '1 day' WHERE id = $1", [id]);
    for (const apiKeyId of [key, other, ...minted])
      await database.pool.query(
        `INSERT INTO usage_rollups (node_slot, bucket_start, tenant_id, user_id, api_key_id, model, requests, cost_nano_usd, user_llm_nano_usd)
         VALUES (1, date_bin('15 minutes', now(), '2000-01-01'), $1, $2, $3, 'gpt-5', 1, 1e9, 1e9)`,
        [admin.tenantId, mara.userId, apiKeyId],
      );
    await settle(id, 5);
    const { days } = await as(admin).getBudgetHistory({ params: { id } });
    expect(days.at(-2)?.spent ?? 2).toBe(2);
    expect(days.at(-1)?.spent).toBe(5);
  });

  it('replayBudget counts the requests that a budget would have rejected, by period and user', async () => {
    const { startMs } = findPeriodWindow({ unit: 'day', startsAtMs: null }, Date.now() - 3 * dayMs, timeZone);
    // Last minute of a day and first minute of the next day, in the organization's time zone.
    for (const atMs of [startMs - 60_000, startMs - 30_000, startMs, startMs + 30_000, startMs + 60_000])
      await addLog(atMs, 3);
    await addLog(startMs + 61_000, 1, { userId: admin.userId });
    await addLog(startMs + 62_000, 3, { model: 'claude-opus-4' });
    const replay = (budget: Partial<NewBudget>, days = 30) =>
      as(admin).replayBudget({ body: { budget: { ...monthly, ...budget }, days } });
    expect(await replay({ window: 'day', limit: 7, model_pattern: 'gpt-5*' })).toMatchObject({
      requests: 6,
      refused: 1,
      refused_amount: 3,
      first_refused_at: new Date(startMs + 60_000).toISOString(),
      refusing_periods: 1,
      is_complete: true,
      users: [{ user_id: mara.userId, user_name: 'mara', requests: 5, refused: 1 }],
    });
    expect(await replay({ limit: 1_000 })).toMatchObject({ requests: 7, refused: 0, first_refused_at: null });
    expect(await replay({ measure: 'tokens', window: 'total', limit: 250 })).toMatchObject({ refused: 5 });
    expect(
      await replay({ measure: 'requests', limit: 1, subject_type: 'user', subject_id: admin.userId }),
    ).toMatchObject({
      requests: 1,
      refused: 0,
    });
    const parallel = { measure: 'parallel_requests', window: 'at_once' } as const;
    expect(await replay({ ...parallel, limit: 1 })).toMatchObject({ requests: 7, refused: 0 });
    // The third and the last request are from another user and start while two others are in flight.
    await database.pool.query('UPDATE request_logs SET response_time_ms = 61000');
    expect(await replay({ ...parallel, limit: 2, model_pattern: 'gpt-5*' })).toMatchObject({
      requests: 6,
      refused: 2,
      users: [
        { user_id: admin.userId, requests: 1, refused: 1 },
        { user_id: mara.userId, requests: 5, refused: 1 },
      ],
    });
    expect(await replay({ window: 'day', limit: 1 }, 1)).toMatchObject({ requests: 0 });
    expect(
      await as(stranger).replayBudget({ body: { budget: { ...monthly, limit: 1 }, days: 30 } }),
    ).toMatchObject({ requests: 0 });
    expect(await as(admin).listBudgets({ query: {} })).toEqual([]);
  });

  it.each(['usd', 'tokens', 'requests'] as const)(
    'replayBudget rejects every request under a limit of 0 %s, even one that costs nothing',
    async (measure) => {
      await addLog(Date.now() - dayMs, 0);
      const budget = { ...monthly, measure, limit: 0 };
      expect(await as(admin).replayBudget({ body: { budget, days: 30 } })).toMatchObject({
        requests: 1,
        refused: 1,
      });
    },
  );

  it('replayBudget counts token-counting requests that reached no provider, as request budgets do', async () => {
    await addLog(Date.now() - dayMs, 0);
    await database.pool.query(
      "UPDATE request_logs SET operation = 'tokens.count', protocol = 'anthropic-messages', attempts = 0",
    );
    const budget = { ...monthly, measure: 'requests', limit: 0 } as const;
    expect(await as(admin).replayBudget({ body: { budget, days: 30 } })).toMatchObject({
      requests: 1,
      refused: 1,
    });
  });
});
