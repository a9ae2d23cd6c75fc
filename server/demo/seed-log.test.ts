import { readFileSync } from 'node:fs';
import { firstStepsRoutes, shadowDifferences } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFirstStepsHandlers } from '#console/first-steps/routes.ts';
import { syncRegistry } from '#console/provider-registry/sync-registry.ts';
import { listDayIndexes } from '#db/log-partitions/day-indexes.ts';
import { dayOf, dayPartition } from '#db/log-partitions/day-partition.ts';
import { createSystemDatabase } from '#db/system.ts';
import { classify } from '#intent/classify.ts';
import { intents, loadModel } from '#intent/model.ts';
import { openMailLink } from '#mail/mailbox.ts';
import { createKeyring } from '#platform/keyring.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { auditedTables } from './date-audit-entries.ts';
import { seedLog } from './seed-log.ts';
import { seedPeople } from './seed-people.ts';

const rowCount = 6_000;
const nowMs = Date.now();
const links = { keyring: createKeyring('a secret of this test'), publicUrl: 'https://sluice.test' };
let database: TestDatabase;
const read = async (statement: string) => (await database.pool.query(statement)).rows;
const intentModel = loadModel(readFileSync(new URL('../src/intent/model.bin', import.meta.url)));
const isNear = (...values: number[]) => Math.max(...values) - Math.min(...values) < 1e-8;
const one = async (statement: string) => (await read(statement))[0];

beforeAll(async () => {
  database = await createTestDatabase();
  await syncRegistry(createSystemDatabase(database.pool));
  const home = await addTenant(database.pool, 'Home');
  await database.pool.query(
    `INSERT INTO llm_providers (tenant_id, provider_registry_id, provider_instance_name, enabled_models, created_at)
     SELECT $1, id, 'Sandbox', '{sandbox-normal,sandbox-echo}', '2020-01-01' FROM provider_registry WHERE provider_key = 'sandbox'`,
    [home],
  );
  const [client, other] = await Promise.all([database.pool.connect(), database.pool.connect()]);
  try {
    await seedPeople(client);
    await seedLog(client, { rows: rowCount, days: 10, bodyDays: 3, nowMs, links, others: [other] });
  } finally {
    client.release();
    other.release();
  }
});
afterAll(() => database.close());

describe('seedLog', () => {
  it('seedLog creates the requested number of rows over all days and tenants, in partitions of their days', async () => {
    expect(
      await one(`SELECT count(*)::int AS rows, count(DISTINCT tenant_id)::int AS tenants,
        count(DISTINCT date_trunc('day', received_at, 'UTC'))::int AS days,
        count(*) FILTER (WHERE tableoid = 'request_logs_default'::regclass)::int AS strays,
        count(*) FILTER (WHERE received_at > now())::int AS future FROM request_logs`),
    ).toEqual({ rows: rowCount, tenants: 3, days: 10, strays: 0, future: 0 });
  });

  it('seedLog creates texts for the newest three days only', async () => {
    expect(
      await one(`SELECT count(*)::int AS rows, count(body.id)::int AS bodies, min(length(body.prompt)) > 20 AS are_long
        FROM request_logs log LEFT JOIN request_log_bodies body USING (id)
        WHERE (log.received_at AT TIME ZONE 'UTC')::date > (now() AT TIME ZONE 'UTC')::date - 3`),
    ).toMatchObject({
      are_long: true,
      bodies: (await one('SELECT count(*)::int FROM request_log_bodies')).count,
    });
  });

  it('seedLog creates scores within their bounds that differ by user, and sets the newest on users', async () => {
    expect(
      await one(`SELECT min(user_score_after) >= 0 AND max(user_score_after) <= 1 AS fit,
        count(DISTINCT round(user_score_after::numeric, 1)) > 4 AS differ FROM request_logs`),
    ).toEqual({ fit: true, differ: true });
    expect(
      await one(`SELECT count(*)::int FROM users u JOIN LATERAL (
          SELECT user_score_after AS score FROM request_logs l WHERE l.user_id = u.id AND user_score_after IS NOT NULL
          ORDER BY id DESC LIMIT 1
        ) newest ON newest.score IS DISTINCT FROM u.deviation_score`),
    ).toEqual({ count: 0 });
    expect(
      await one(`SELECT abs((SELECT sum(score_sum) FROM usage_rollups) -
        (SELECT sum(user_score_after) FROM request_logs WHERE status <> 'refused')) < 1e-6 AS agree`),
    ).toEqual({ agree: true });
  });

  it('seedLog starts each score at 0, and each request at the score after the previous one, with receipts of the difference', async () => {
    const rows =
      await read(`SELECT status, error_code, user_score_before AS before, user_score_after AS after, deviation_score_delta AS delta,
        coalesce(lag(user_score_after) OVER (PARTITION BY user_id, user_score_after IS NULL ORDER BY id), 0) AS previous,
        (SELECT sum((receipt->>'amount')::float8) FROM jsonb_array_elements(deviation_receipts) receipt) AS received
      FROM request_logs`);
    const stray = rows.filter(({ before, after, delta, previous, received }) =>
      after === null ? before !== null : before !== previous || !isNear(after - before, delta, received ?? 0),
    );
    expect(stray).toEqual([]);
    const unscored = rows.filter(({ after }) => after === null);
    expect(new Set(unscored.map(({ error_code }) => error_code))).toEqual(
      new Set(['tokens_per_day_exceeded']),
    );
  });

  it('seedLog lets scores decay between requests, rise with off-topic prompts and fall with other prompts', async () => {
    const falls = await read(`SELECT before * 0.5 ^ (hours / 168) * 0.9 AS expected, after FROM (
        SELECT status, user_id, id, user_score_before AS before, user_score_after AS after, deviation_receipts AS receipts,
          extract(epoch FROM received_at - lag(received_at) OVER (PARTITION BY user_id ORDER BY id))::float8 / 3600 AS hours
        FROM request_logs WHERE user_score_after IS NOT NULL
      ) scored WHERE hours IS NOT NULL AND status <> 'refused' AND NOT EXISTS (
        SELECT FROM jsonb_array_elements(receipts) receipt WHERE receipt->>'name' NOT IN ('time', 'return'))`);
    expect(falls.length).toBeGreaterThan(1000);
    expect(falls.filter(({ expected, after }) => !isNear(expected, after))).toEqual([]);
    expect(
      await one(`SELECT count(*)::int AS rises, bool_and(intent_classification = 'off_topic') AS are_off_topic
        FROM request_logs WHERE deviation_score_delta > 0.06`),
    ).toMatchObject({ rises: expect.toSatisfy((rises) => rises > 50), are_off_topic: true });
  });

  it("seedLog stores the classifier's own intent and confidence of each prompt", async () => {
    const rows =
      await read(`SELECT intent_classification AS intent, confidence_score AS confidence, error_code, prompt
      FROM request_logs JOIN request_log_bodies USING (id)`);
    const judged = rows.filter(({ error_code }) => error_code !== 'model_blacklisted');
    expect(judged.length).toBeGreaterThan(1000);
    const stray = judged.filter(({ intent, confidence, prompt }) => {
      const reading = classify(prompt, intentModel);
      return reading.intent !== intent || Math.fround(reading.confidence) !== Math.fround(confidence);
    });
    expect(stray).toEqual([]);
    expect(new Set(judged.map(({ intent }) => intent))).toEqual(new Set(intents));
    const unread = rows.filter(({ error_code }) => error_code === 'model_blacklisted');
    expect(new Set(unread.map(({ intent }) => intent))).toEqual(new Set([null]));
  });

  it("seedLog gives requests for a task prompts of the task's category, unless they are off topic", async () => {
    const [{ fit, count }] =
      (await read(`SELECT count(*)::int, avg((intent_classification = category)::int)::float8 AS fit
      FROM request_logs JOIN tasks ON tasks.id = task_id
      WHERE NOT is_dummy_task AND intent_classification <> 'off_topic'`)) as [{ fit: number; count: number }];
    expect(count).toBeGreaterThan(300);
    expect(fit).toBeGreaterThan(0.95);
  });

  it('seedLog creates rollups that add up to the rows', async () => {
    const ofRows = await read(`SELECT tenant_id, count(*) FILTER (WHERE status <> 'refused')::int AS requests,
        count(*) FILTER (WHERE status = 'error')::int AS errors, (sum(repeats) FILTER (WHERE status = 'refused'))::int AS refusals,
        sum(prompt_tokens)::int AS prompt, sum(completion_tokens)::int AS output, sum(cost_nano_usd)::text AS cost
      FROM request_logs GROUP BY 1 ORDER BY 1`);
    const ofRollups =
      await read(`SELECT tenant_id, sum(requests)::int AS requests, sum(errors)::int AS errors,
        sum(refusals)::int AS refusals, sum(input_tokens + cache_read_tokens + cache_write_tokens)::int AS prompt,
        sum(output_tokens)::int AS output, sum(user_llm_nano_usd + company_llm_nano_usd)::text AS cost
      FROM usage_rollups GROUP BY 1 ORDER BY 1`);
    expect(ofRollups).toEqual(ofRows);
    expect(ofRows).toHaveLength(3);
  });

  it('seedLog creates the indexes of the parent in every partition, and those of past days', async () => {
    const counts = (condition: string) =>
      read(`SELECT DISTINCT count(*)::int FROM pg_index JOIN pg_class day ON day.oid = indrelid JOIN pg_inherits ON inhrelid = indrelid
        WHERE inhparent = 'request_logs'::regclass AND ${condition} GROUP BY indrelid`);
    const [{ count: common }] = await read(
      "SELECT count(*)::int FROM pg_index WHERE indrelid = 'request_logs'::regclass",
    );
    const { table } = dayPartition('request_logs', dayOf(nowMs));
    expect(await counts(`day.relname >= '${table}'`)).toEqual([{ count: common }]);
    const yesterday = dayPartition('request_logs', dayOf(nowMs) - 1).table;
    const firstDay = dayPartition('request_logs', dayOf(nowMs) - 9).table;
    expect(await counts(`day.relname BETWEEN '${firstDay}' AND '${yesterday}'`)).toEqual([
      { count: common + listDayIndexes('request_logs', yesterday).length },
    ]);
  });
});

describe('counters, limits and grants of the demo', () => {
  /** Admitted requests and tokens by user since the start of a time unit. */
  const usedSince = (unit: string) => `SELECT u.id, count(log.id)::int AS requests,
      COALESCE(sum(log.prompt_tokens + log.completion_tokens), 0)::int AS tokens
    FROM users u LEFT JOIN request_logs log ON log.user_id = u.id AND log.status <> 'refused'
      AND log.received_at >= date_trunc('${unit}', to_timestamp(${nowMs / 1000}), 'UTC')
    GROUP BY 1`;

  it.each([
    ['tokens_per_day', 'day', 'tokens', 'daily_quota'],
    ['tokens_per_month', 'month', 'tokens', 'monthly_quota'],
    ['requests_per_hour', 'hour', 'requests', 'requests_per_hour'],
  ])('seedLog sets %s to the usage in the log, within the limit', async (kind, unit, measure, limit) => {
    const rows = await read(`SELECT users.id, used.${measure} AS used, COALESCE(a.settled, 0)::int AS settled,
        users.${limit} IS NOT DISTINCT FROM COALESCE(a.limit_amount, users.${limit}) AS is_limit,
        used.${measure} <= COALESCE(users.${limit}, 'Infinity'::float8) AS fits
      FROM users JOIN (${usedSince(unit)}) used USING (id)
        LEFT JOIN allowances a ON a.kind = '${kind}' AND a.subject_id = users.id
          AND a.window_start = date_trunc('${unit}', to_timestamp(${nowMs / 1000}), 'UTC')`);
    expect(rows.length).toBeGreaterThan(20);
    expect(
      rows.filter(({ used, settled, is_limit, fits }) => used !== settled || !is_limit || !fits),
    ).toEqual([]);
  });

  it('seedLog leaves no day on which a user exceeds the daily quota, and rejects only once it is used up', async () => {
    const days = await read(`SELECT quota, tokens FROM (
        SELECT u.daily_quota::int AS quota, sum(prompt_tokens + completion_tokens)::int AS tokens,
          bool_or(error_code = 'tokens_per_day_exceeded') AS is_refused
        FROM request_logs log JOIN users u ON u.id = log.user_id WHERE u.daily_quota IS NOT NULL
        GROUP BY u.id, u.daily_quota, (received_at AT TIME ZONE 'UTC')::date
      ) used WHERE tokens > quota OR (is_refused AND tokens < quota)`);
    expect(days).toEqual([]);
    expect(
      await one(`SELECT count(*)::int AS stray FROM request_logs log JOIN users u ON u.id = log.user_id
        WHERE error_code = 'tokens_per_day_exceeded' AND error_message NOT LIKE '%' || to_char(u.daily_quota, 'FM999,999,999,990') || '%'`),
    ).toEqual({ stray: 0 });
  });

  it('seedLog rejects requests only for the blacklist and the daily quota, and each has its reason in the data', async () => {
    const refused = await read(
      "SELECT DISTINCT error_code FROM request_logs WHERE status = 'refused' ORDER BY 1",
    );
    expect(refused).toEqual([{ error_code: 'model_blacklisted' }, { error_code: 'tokens_per_day_exceeded' }]);
    expect(
      await one(`SELECT count(*)::int AS stray FROM request_logs log
        WHERE (error_code = 'model_blacklisted') IS DISTINCT FROM EXISTS (SELECT FROM blacklist_entries entry
          WHERE entry.tenant_id = log.tenant_id AND entry.provider_key = log.provider_key AND entry.model_pattern = log.model
            AND entry.created_at < log.received_at)
          AND (error_code = 'model_blacklisted' OR log.model = 'gpt-4-turbo')`),
    ).toEqual({ stray: 0 });
  });

  it('seedLog sets the usage of tasks and the last use of keys to those in the log', async () => {
    expect(
      await read(`SELECT a.settled, a.requests, used.* FROM task_assignments assigned
        JOIN allowances a ON a.kind = 'task_tokens' AND a.subject_id = assigned.id
        JOIN (SELECT task_id, user_id, sum(prompt_tokens + completion_tokens) AS tokens, count(*) AS count
          FROM request_logs WHERE status <> 'refused' GROUP BY 1, 2) used USING (task_id, user_id)
        WHERE a.settled <> used.tokens OR a.requests <> used.count OR a.settled > a.limit_amount`),
    ).toEqual([]);
    expect(
      await one(`SELECT count(*)::int AS stray FROM api_keys k WHERE last_used_at IS DISTINCT FROM
        (SELECT max(received_at) FROM request_logs WHERE api_key_id = k.id AND status <> 'refused')`),
    ).toEqual({ stray: 0 });
    expect(
      await one(
        'SELECT count(*)::int AS strays FROM request_logs WHERE api_key_id IS NULL OR task_id IS NULL',
      ),
    ).toEqual({ strays: 0 });
  });

  it('seedLog adds budgets whose usage equals that of the log, with those of teams near their limit', async () => {
    expect(
      await read(`SELECT DISTINCT a.settled = (SELECT coalesce(sum(cost_nano_usd), 0) FROM request_logs log
          WHERE log.tenant_id = b.tenant_id AND log.received_at >= a.window_start AND (b.team_id IS NULL OR log.team_id = b.team_id)
            AND (b.user_id IS NULL OR log.user_id = b.user_id)
            AND (b.llm_provider_id IS NULL OR log.llm_provider_id = b.llm_provider_id)) AS agrees
        FROM budgets b JOIN allowances a ON a.kind = 'usd_budget' AND a.subject_id = b.id`),
    ).toEqual([{ agrees: true }]);
    const [{ near, given } = { near: null, given: 0 }] = (await read(`SELECT
        bool_and(a.settled >= 0.8 * a.limit_amount OR a.settled < 100000000) FILTER (WHERE b.team_id IS NOT NULL) AS near,
        count(*) FILTER (WHERE b.default_id IS NOT NULL)::int AS given
      FROM budgets b LEFT JOIN allowances a ON a.kind = 'usd_budget' AND a.subject_id = b.id`)) as {
      near: boolean | null;
      given: number;
    }[];
    // In the first minutes of a month, there is no usage yet.
    expect([near ?? true, given > 0]).toEqual([true, true]);
  });

  it('seedLog creates every budget at or before the start of the usage that counts toward it', async () => {
    expect(
      await read(`SELECT b.id, b.created_at, a.window_start FROM budgets b
        JOIN allowances a ON a.kind = kind_of_budget(b.measure) AND a.subject_id = b.id
        WHERE a.settled > 0 AND b.created_at > a.window_start`),
    ).toEqual([]);
    expect(
      await one(`SELECT count(*)::int AS late FROM budgets
        WHERE created_at > date_trunc('month', to_timestamp(${nowMs / 1000}), 'UTC')`),
    ).toEqual({ late: 0 });
  });

  it('seedLog adds a request for a higher limit, two invitations, and an appeal of a blocked user and a comparison to each tenant of the demo', async () => {
    const rows = await read(`SELECT
        (SELECT count(*)::int FROM budget_raise_requests raise JOIN budgets b ON b.id = raise.budget_id AND b.user_id = raise.user_id
          WHERE raise.tenant_id = tenants.id AND status = 'open' AND raise.limit_amount > b.limit_amount AND until > now()) AS raises,
        (SELECT count(*)::int FROM invitations i WHERE i.tenant_id = tenants.id AND invitation_status(i) = 'pending') AS invitations,
        (SELECT count(*)::int FROM appeals JOIN score_events event ON event.id = score_event_id JOIN users ON users.id = appeals.user_id
          WHERE appeals.tenant_id = tenants.id AND status = 'open' AND is_blocked AND blocked_at = event.created_at
            AND appeals.created_at BETWEEN blocked_at AND now() AND score_before = deviation_score AND score_after = deviation_score
            AND blocked_at >= (SELECT max(received_at) FROM request_logs WHERE user_id = users.id)) AS appeals,
        (SELECT count(*)::int FROM llm_comparison_results answer JOIN llm_comparisons c ON c.id = comparison_id AND c.tenant_id = tenants.id
          WHERE status = 'completed' AND provider_name = 'Sandbox' AND uuid_extract_version(c.id) = 7) AS answers,
        (SELECT 2 * count(*)::int FROM llm_providers i JOIN provider_registry r ON r.id = provider_registry_id AND r.provider_key = 'sandbox'
          WHERE i.tenant_id = tenants.id) AS expected
      FROM tenants WHERE slug IN ('northwind', 'bluebird', 'home') AND EXISTS (SELECT FROM users WHERE tenant_id = tenants.id AND email LIKE '%.example')`);
    expect(rows.length).toBeGreaterThan(1);
    for (const { answers, expected, ...row } of rows) {
      expect(row).toEqual({ raises: 1, invitations: 2, appeals: 1 });
      expect(answers).toBe(expected);
    }
  });

  it('seedLog holds the emails of invitations with a link that accepts the invitation', async () => {
    const rows =
      await read(`SELECT mails.id, mails.tenant_id AS "tenantId", status, link_origin AS "linkOrigin", sealed_link AS "sealedLink",
        token_hash AS hash, mails.created_at < now() - interval '2 hours' AS is_older FROM invitations JOIN mails ON mails.id = mail_id`);
    expect(rows.length).toBeGreaterThan(2);
    for (const { status, hash, is_older, ...mail } of rows) {
      expect({ status, is_older }).toEqual({ status: 'held', is_older: true });
      const [origin, token = ''] = openMailLink(links.keyring, links.publicUrl, mail).split('/invitation/');
      expect(origin).toBe(links.publicUrl);
      expect(links.keyring.hashLinkToken(token).equals(hash)).toBe(true);
    }
  });

  it('seedLog gives the answers of comparisons the cost at the price of their models', async () => {
    const costs = await read(
      `SELECT DISTINCT model_name AS model, cost_nano_usd AS cost FROM llm_comparison_results ORDER BY 1`,
    );
    expect(costs).toEqual([
      { model: 'sandbox-echo', cost: '30000' },
      { model: 'sandbox-normal', cost: '58000' },
    ]);
  });

  it('seedLog puts users near their monthly quota, except early in the month', async () => {
    const { near, used } =
      await one(`SELECT count(*) FILTER (WHERE a.settled >= 0.9 * a.limit_amount)::int AS near, max(a.settled)::int AS used
      FROM users JOIN allowances a ON a.kind = 'tokens_per_month' AND a.subject_id = users.id AND a.window_start = date_trunc('month', now(), 'UTC')
      WHERE role_id = 3`);
    expect(near > 0 || used < 100_000).toBe(true);
  });

  it('seedLog puts each user who requests a higher limit near the limit of the budget, without exceeding it', async () => {
    const rows =
      await read(`SELECT settled::float8 / a.limit_amount AS used, settled::float8 AS spent FROM budget_raise_requests raise
      JOIN allowances a ON a.kind = 'usd_budget' AND a.subject_id = raise.budget_id`);
    // In the first minutes of a month, there is no usage yet.
    for (const { used, spent } of rows) {
      expect(used).toBeLessThan(1);
      if (spent > 200_000_000) expect(used).toBeGreaterThan(0.9);
    }
  });

  it('seedLog books the cost of requests to service-managed instances as credits', async () => {
    const rows = await read(`SELECT tenant_id, sum(cost_nano_usd)::text AS cost FROM request_logs
      WHERE is_service_managed GROUP BY 1 ORDER BY 1`);
    const booked =
      await read(`SELECT tenant_id, (-sum(amount) FILTER (WHERE kind = 'deduction'))::text AS cost
      FROM ledger_entries GROUP BY 1 ORDER BY 1`);
    expect(booked).toEqual(rows);
    expect(rows.length).toBeGreaterThan(0);
    expect(
      await one(`SELECT min(balance_after) >= 0 AS is_paid,
        bool_and(kind = 'deduction' OR actor_id IN (SELECT id FROM users WHERE tenant_id = e.tenant_id AND role_id < 3)) AS is_by_admin,
        count(payment_method)::int AS by_card FROM ledger_entries e`),
    ).toEqual({ is_paid: true, is_by_admin: true, by_card: 0 });
  });

  it.each([
    'users',
    'api_keys',
    'tasks',
    'teams',
    'llm_providers',
    'tenants',
    'blacklist_entries',
    'user_provider_access',
    'team_provider_access',
  ])('seedLog dates all rows of %s before the first request', async (table) => {
    expect(
      await one(`SELECT count(*)::int > 0 AS has_rows,
          bool_and(created_at <= (SELECT min(received_at) FROM request_logs)) AS are_older FROM ${table}`),
    ).toEqual({ has_rows: true, are_older: true });
  });

  it('seedLog dates the audit entry of each object like the object', async () => {
    const { rows } = await database.pool.query<{ name: string; type: string; time: string }>(auditedTables);
    const seen = new Set(
      (await read('SELECT DISTINCT object_type AS type FROM audit_entries')).map(({ type }) => type),
    );
    for (const { name, type, time } of rows) {
      seen.delete(type);
      expect(
        await read(`SELECT entry.id FROM audit_entries entry JOIN ${name} changed ON changed.id::text = object_id
          WHERE object_type = '${type}' AND before IS NULL AND entry.created_at <> changed.${time}`),
        name,
      ).toEqual([]);
    }
    expect([...seen]).toEqual([]);
    expect(
      await one(`SELECT count(*)::int AS blocks, bool_and(entry.created_at = blocked_at) AS are_dated
        FROM audit_entries entry JOIN users ON users.id::text = object_id
        WHERE object_type = 'user' AND before->>'is_blocked' = 'false'`),
    ).toMatchObject({ are_dated: true });
    expect(
      await one(`SELECT bool_and(is_later) AS are_sorted FROM (
        SELECT created_at >= lag(created_at, 1, created_at) OVER (ORDER BY id) AS is_later FROM audit_entries) entries`),
    ).toEqual({ are_sorted: true });
  });

  it('seedLog scores days in order, even if several connections insert them', async () => {
    expect(
      await one(`SELECT count(*)::int AS users, count(*) FILTER (WHERE abs(deviation_score - newest.score) > 1e-6)::int AS strays
        FROM users JOIN LATERAL (SELECT user_score_after AS score FROM request_logs
          WHERE user_id = users.id AND user_score_after IS NOT NULL ORDER BY id DESC LIMIT 1) newest ON true`),
    ).toMatchObject({ strays: 0 });
  });

  it('seedLog completes every onboarding step', async () => {
    const [tenant] = await read('SELECT id FROM tenants ORDER BY id LIMIT 1');
    const admin = await addPerson(database.pool, tenant.id, 'admin', 'visitor@home.test');
    const steps = await createTestConsole(
      database.pool,
      firstStepsRoutes,
      createFirstStepsHandlers(),
    )({
      principal: admin,
    }).getFirstSteps();
    expect(
      Object.entries(steps).filter(([, done]) => done === null || (Array.isArray(done) && done.length === 0)),
    ).toEqual([]);
  });

  it('seedLog adds a shadow run of 200 requests with every kind of difference to each tenant with requests', async () => {
    const runs = await read(`SELECT sums FROM shadow_runs ORDER BY id`);
    expect(runs).toHaveLength(3);
    for (const { sums } of runs) {
      expect(sums.requests).toBe(200);
      for (const name of shadowDifferences) expect(sums[name], name).toBeGreaterThan(0);
    }
  });

  it('seedLog creates no admitted request without a grant', async () => {
    expect(
      await one(`SELECT count(*)::int AS stray FROM request_logs log WHERE status <> 'refused'
        AND NOT EXISTS (SELECT FROM user_provider_access g WHERE team_id IS NULL AND g.user_id = log.user_id
          AND g.llm_provider_id = log.llm_provider_id AND log.model = ANY (allowed_models))
        AND NOT EXISTS (SELECT FROM team_provider_access g WHERE g.team_id = log.team_id
          AND g.llm_provider_id = log.llm_provider_id AND log.model = ANY (allowed_models))`),
    ).toEqual({ stray: 0 });
  });
});
