import { randomBytes } from 'node:crypto';
import { analyticsRoutes, type LogEntry, logStatuses, logsOf, logsRoutes, toNanoUsd } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countUsersNearLimit } from '#console/users/near-limits.ts';
import type { Principal } from '#domain/principal.ts';
import type { RequestRecord } from '#gateway/request-log/request-record.ts';
import { createLogger } from '#platform/logger.ts';
import { createShipRequests } from '#shipper/ship-requests.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { isFullSize } from '#test/load/sample.ts';
import { createRecord } from '#test/requests/request-record.ts';
import { createLogsHandlers } from '../logs/routes.ts';
import { createAnalyticsHandlers } from './routes.ts';

let database: TestDatabase;
let analytics: ReturnType<ReturnType<typeof createTestConsole<typeof analyticsRoutes>>>;
let logs: ReturnType<ReturnType<typeof createTestConsole<typeof logsRoutes>>>;
let admin: Principal;
let people: Principal[];

const ship = (records: readonly RequestRecord[], nodeSlot: number) =>
  createShipRequests({ pool: database.pool, nodeSlot, log: createLogger('error') })(records);

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** Creates a seeded generator, so that every run uses the same numbers. */
function createRandom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)]!;
  return { below, pick };
}

type Random = ReturnType<typeof createRandom>;

function idAt(atMs: number): string {
  const time = atMs.toString(16).padStart(12, '0');
  const noise = randomBytes(8).toString('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${noise.slice(0, 3)}-8${noise.slice(3, 6)}-${noise.slice(4)}`;
}

function recordAt(atMs: number, { below, pick }: Random): RequestRecord {
  const status = pick<(typeof logStatuses)[number]>([...logStatuses, 'success']);
  const isServed = status === 'success';
  const [providerKey, llmProviderId] = pick([
    ['openai', 1],
    ['anthropic', 2],
    ['google', 3],
  ] as const);
  return createRecord({
    id: idAt(atMs),
    receivedAtMs: atMs,
    tenantId: admin.tenantId,
    userId: pick(people).userId,
    apiKeyId: pick([null, 1, 2]),
    teamId: pick([null, 7, 8]),
    llmProviderId,
    providerKey,
    model: pick(['a', 'b']),
    status,
    repeats: status === 'refused' ? 1 + below(3) : 1,
    errorCode: status === 'refused' ? pick(['model_blacklisted', 'policy_blocked']) : null,
    usage: isServed
      ? {
          inputTokens: below(900),
          cacheReadTokens: below(50),
          cacheWriteTokens: below(50),
          outputTokens: below(900),
          reasoningTokens: 0,
        }
      : null,
    costNanoUsd: isServed ? String(below(5_000_000)) : null,
    isServiceManaged: isServed && pick([true, false]),
    intent: pick(['coding', 'testing', 'off_topic', null]),
    signals: status === 'refused' ? null : pick([null, { off_topic: below(100) / 100 }]),
  });
}

async function readLogs(filters: object): Promise<LogEntry[]> {
  const rows: LogEntry[] = [];
  for (;;) {
    const query = { ...filters, skip: rows.length, limit: 200 };
    const page = logsOf(await logs.listLogs({ query }));
    rows.push(...page);
    if (page.length < 200) return rows;
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
const tokensOf = (rows: readonly LogEntry[]) => sum(rows.map((row) => row.openai_tokens_used));
const costOf = (rows: readonly LogEntry[]) =>
  Number(rows.reduce((total, { cost }) => total + toNanoUsd(cost ?? 0), 0n)) / 1e9;
const peopleOf = (rows: readonly LogEntry[]) => new Set(rows.map((row) => row.user_id)).size;
const meanScoreOf = (rows: readonly LogEntry[]) => {
  const scores = rows.flatMap(({ user_score_after: score }) => score ?? []);
  return scores.length === 0 ? null : sum(scores) / scores.length;
};
const latestOf = (rows: readonly LogEntry[]) =>
  rows
    .map(({ timestamp }) => timestamp)
    .toSorted()
    .at(-1);

const zones = [
  ['Asia/Kathmandu', '2026-06-10'],
  ['America/New_York', '2026-03-08'],
  ['Europe/Berlin', '2026-10-25'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['Pacific/Apia', '2026-01-01'],
] as const;
const dayMs = 24 * 3_600_000;

describe.each(zones)('analytics totals in %s around %s', (timeZone, middle) => {
  const random = createRandom(Number(middle.replaceAll('-', '')));
  const middleMs = Date.parse(middle);
  const dayAt = (offset: number) => new Date(middleMs + offset * dayMs).toISOString().slice(0, 10);
  const dayOf = (instant: string) =>
    new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(new Date(instant));

  beforeAll(async () => {
    const { pool } = database;
    const tenantId = await addTenant(pool, timeZone, { timeZone });
    const mails = [1, 2, 3, 4].map((place) => `${place}@${timeZone.replace('/', '.').toLowerCase()}.test`);
    admin = await addPerson(
      pool,
      tenantId,
      'admin',
      `admin@${timeZone.replace('/', '.').toLowerCase()}.test`,
    );
    people = await Promise.all(mails.map((mail) => addPerson(pool, tenantId, 'user', mail)));
    analytics = createTestConsole(
      pool,
      analyticsRoutes,
      createAnalyticsHandlers({ countUsersNearLimit }),
    )({ principal: admin });
    logs = createTestConsole(pool, logsRoutes, createLogsHandlers())({ principal: admin });
    const records = Array.from({ length: 600 }, () =>
      recordAt(
        middleMs + (random.below(8 * 24 * 3_600) - 4 * 24 * 3_600) * 1_000 + random.below(1_000),
        random,
      ),
    );
    await ship(records.slice(0, 350), 0);
    await ship(records.slice(350), 1);
  });

  it.each(Array.from({ length: isFullSize ? 8 : 3 }, (_, round) => round))(
    'analytics totals equal the sums of the matching log rows for a random range and user (%i)',
    async () => {
      const first = random.below(5) - 3;
      const range = { start_date: dayAt(first), end_date: dayAt(first + random.below(4)) };
      const query = { ...range, user_id: random.pick([undefined, ...people.map(({ userId }) => userId)]) };
      const rows = await readLogs({ ...query, status: 'admitted' });

      const usage = await analytics.getUsageFigures({ query });
      expect(usage).toMatchObject({
        total_requests: rows.length,
        total_tokens_used: tokensOf(rows),
        active_users: peopleOf(rows),
      });
      for (const [intent, count] of Object.entries(usage.intent_distribution)) {
        const behind = await readLogs({ ...query, status: 'admitted', intent_classification: intent });
        expect(behind).toHaveLength(count);
      }
      expect(sum(Object.values(usage.intent_distribution))).toBe(rows.length);

      const days = await analytics.listDailyUsage({ query });
      expect(usage.avg_requests_per_day).toBe(rows.length / days.length);
      const byDay = Map.groupBy(rows, ({ timestamp }) => dayOf(timestamp));
      expect([...byDay.keys()].every((day) => days.some(({ date }) => date === day))).toBe(true);
      expect(days).toEqual(
        days.map(({ date }) => ({
          date,
          tokens: tokensOf(byDay.get(date) ?? []),
          requests: byDay.get(date)?.length ?? 0,
          cost_usd: costOf(byDay.get(date) ?? []),
          unique_users: peopleOf(byDay.get(date) ?? []),
        })),
      );

      for (const user of await analytics.listTopUsers({ query })) {
        const behind = rows.filter(({ user_id }) => user_id === user.user_id);
        const scores = behind.flatMap(({ user_score_after: score }) => score ?? []);
        expect(user).toMatchObject({
          total_requests: behind.length,
          total_tokens: tokensOf(behind),
          last_request: latestOf(behind),
        });
        if (scores.length === 0) expect(user.average_deviation_score).toBeNull();
        else expect(user.average_deviation_score).toBeCloseTo(sum(scores) / scores.length, 9);
      }

      const models = await analytics.listTopModels({ query });
      expect(sum(models.map(({ total_requests }) => total_requests))).toBe(rows.length);
      for (const { model, provider_key, total_requests, total_tokens, unique_users, percentage } of models) {
        const behind = await readLogs({ ...query, status: 'admitted', model, provider_key });
        expect([total_requests, total_tokens, unique_users]).toEqual([
          behind.length,
          tokensOf(behind),
          peopleOf(behind),
        ]);
        expect(percentage).toBeCloseTo((behind.length / rows.length) * 100, 9);
      }

      const byKey = await readLogs({ ...query, status: 'admitted', by_api_key: 'true' });
      for (const key of await analytics.listTopApiKeys({ query })) {
        const behind = await readLogs({
          ...query,
          status: 'admitted',
          by_api_key: 'true',
          ...(key.entity_type === 'team'
            ? { team_id: key.entity_id }
            : { user_id: query.user_id ?? key.entity_id }),
        });
        expect(key).toMatchObject({
          total_requests: behind.length,
          total_tokens: tokensOf(behind),
          last_used: latestOf(behind),
        });
        expect(key.percentage).toBeCloseTo((behind.length / byKey.length) * 100, 9);
      }
    },
  );

  it.each(Array.from({ length: isFullSize ? 6 : 2 }, (_, round) => round))(
    'totals of rejections and scores equal those of the matching log rows for a random range and user (%i)',
    async () => {
      const first = random.below(5) - 3;
      const range = { start_date: dayAt(first), end_date: dayAt(first + random.below(4)) };
      const query = { ...range, user_id: random.pick([undefined, ...people.map(({ userId }) => userId)]) };

      const refusals = await analytics.listDailyRefusals({ query });
      const refused = await readLogs({ ...query, status: 'refused' });
      expect(sum(refusals.map(({ rows }) => rows))).toBe(refused.length);
      for (const { date, reason, count, rows } of refusals) {
        const behind = await readLogs({
          ...query,
          status: 'refused',
          error_code: reason,
          start_date: date,
          end_date: date,
        });
        expect([rows, count]).toEqual([behind.length, sum(behind.map(({ repeats }) => repeats))]);
      }

      for (const breakdown of ['user', 'team'] as const) {
        const { dates, series } = await analytics.getDeviationTimeline({
          query: { ...query, breakdown, limit: 200 },
        });
        expect([dates[0], dates.at(-1)]).toEqual([range.start_date, range.end_date]);
        for (const { entity_id, requests, average_deviation_score, days } of series) {
          const whose = breakdown === 'team' ? { team_id: entity_id } : { user_id: entity_id };
          const behind = await readLogs({ ...query, status: 'admitted', ...whose });
          expect(requests).toBe(behind.length);
          expect(average_deviation_score).toBeCloseTo(meanScoreOf(behind) ?? Number.NaN, 9);
          const byDay = Map.groupBy(behind, ({ timestamp }) => dayOf(timestamp));
          expect(days.map(({ date }) => date)).toEqual([...byDay.keys()].toSorted());
          for (const day of days) {
            const rows = byDay.get(day.date) ?? [];
            expect(day.requests).toBe(rows.length);
            const mean = meanScoreOf(rows);
            if (mean === null) expect(day.average_deviation_score).toBeNull();
            else expect(day.average_deviation_score).toBeCloseTo(mean, 9);
          }
        }
      }
    },
  );

  it('listSpendByProvider equals the sums of the log rows, and its credit spending equals the deductions in the ledger', async () => {
    const query = { start_date: dayAt(-5), end_date: dayAt(5) };
    const spend = await analytics.listSpendByProvider({ query });
    const booked = await database.pool.query(
      `SELECT sum(-amount)::float8 AS company FROM ledger_entries WHERE tenant_id = $1 AND kind = 'deduction'`,
      [admin.tenantId],
    );
    const logged = await database.pool.query<{ day: string; key: string; own: number; company: number }>(
      `SELECT (received_at AT TIME ZONE $2)::date::text AS day, provider_key AS key,
         coalesce(sum(cost_nano_usd) FILTER (WHERE NOT is_service_managed), 0)::float8 AS own,
         coalesce(sum(cost_nano_usd) FILTER (WHERE is_service_managed), 0)::float8 AS company
       FROM request_logs WHERE tenant_id = $1 AND cost_nano_usd > 0 GROUP BY 1, 2 ORDER BY 1, 2`,
      [admin.tenantId, timeZone],
    );
    const nano = (dollars: number) => Number(toNanoUsd(dollars));
    expect(sum(spend.map(({ company_llm_spend }) => nano(company_llm_spend)))).toBe(booked.rows[0].company);
    expect(
      spend.map((row) => ({
        day: row.date,
        key: row.provider_key,
        own: nano(row.user_llm_spend),
        company: nano(row.company_llm_spend),
      })),
    ).toEqual(logged.rows);
    for (const row of spend)
      expect(nano(row.total_spend)).toBe(nano(row.user_llm_spend) + nano(row.company_llm_spend));
  });

  it('totals remain correct after a time zone change while days are recomputed and requests arrive', async () => {
    const query = { start_date: dayAt(-7), end_date: dayAt(7) };
    const read = async () => ({
      usage: await analytics.getUsageFigures({ query }),
      users: await analytics.listTopUsers({ query }),
      models: await analytics.listTopModels({ query }),
      keys: await analytics.listTopApiKeys({ query }),
      days: await analytics.listDailyUsage({ query }),
      spend: await analytics.listSpendByProvider({ query }),
    });
    const readLogged = async () => (await readLogs({ ...query, status: 'admitted' })).length;
    const extend = async () =>
      (await database.pool.query('SELECT extend_usage_days($1) AS more', [admin.tenantId])).rows[0].more;
    const before = await read();
    expect(before.usage.total_requests).toBeGreaterThan(0);
    for (const zone of ['Pacific/Kiritimati', timeZone]) {
      await database.pool.query('UPDATE tenants SET time_zone = $2 WHERE id = $1', [admin.tenantId, zone]);
      const fromRollups = await read();
      expect(fromRollups.usage.total_requests).toBe(await readLogged());
      let isMore = true;
      while (isMore) {
        isMore = await extend();
        expect(round(await read())).toEqual(round(fromRollups));
      }
      await database.pool.query('UPDATE usage_day_spans SET whole_from = $2 WHERE tenant_id = $1', [
        admin.tenantId,
        dayAt(0),
      ]);
      await ship([recordAt(middleMs - 2 * dayMs, random), recordAt(middleMs + 2 * dayMs, random)], 0);
      const late = await read();
      expect(late.usage.total_requests).toBe(await readLogged());
      while (await extend()) expect(round(await read())).toEqual(round(late));
    }
    const after = await read();
    expect(after.days.reduce((total, { tokens }) => total + tokens, 0)).toBe(after.usage.total_tokens_used);
  });

  it('usage_days and usage_rollups have the same totals', async () => {
    const sums = `tenant_id, sum(requests)::int AS requests, sum(user_llm_nano_usd + company_llm_nano_usd)::text AS cost`;
    const { rows } = await database.pool.query(
      `SELECT ${sums}, sum(input_tokens + cache_read_tokens + cache_write_tokens + output_tokens)::int AS tokens
       FROM usage_rollups GROUP BY tenant_id ORDER BY 1`,
    );
    for (const grouping of ['intent', 'model', 'team', 'all']) {
      const inDays = await database.pool.query(
        `SELECT ${sums}, sum(tokens)::int AS tokens FROM usage_days WHERE grouped_by = $1 GROUP BY tenant_id ORDER BY 1`,
        [grouping],
      );
      expect(inDays.rows).toEqual(rows);
    }
  });
});

/**
 * Rounds all numbers, because mean scores add fractions in varying order. The offset avoids values near a rounding
 * boundary.
 */
function round(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, part) =>
    typeof part === 'number' ? Math.round(part * 1e9 + 0.123) : part,
  );
}
