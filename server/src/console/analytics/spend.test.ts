import {
  analyticsRoutes,
  type Labels,
  type LogEntry,
  logFilters,
  logsOf,
  logsRoutes,
  portalRoutes,
  type Spend,
  tasksRoutes,
  teamsRoutes,
  toNanoUsd,
  usersRoutes,
} from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogsHandlers } from '#console/logs/routes.ts';
import { createPortalHandlers } from '#console/portal/routes.ts';
import { createTasksHandlers } from '#console/tasks/routes.ts';
import { createTeamsHandlers } from '#console/teams/routes.ts';
import { countUsersNearLimit } from '#console/users/near-limits.ts';
import { createUsersHandlers } from '#console/users/routes.ts';
import type { Principal } from '#domain/principal.ts';
import type { RequestRecord } from '#gateway/request-log/request-record.ts';
import { createLogger } from '#platform/logger.ts';
import { createShipRequests } from '#shipper/ship-requests.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createRecord } from '#test/requests/request-record.ts';
import { createAnalyticsHandlers } from './routes.ts';

const timeZone = 'Asia/Kathmandu';
let database: TestDatabase;
let admin: Principal;
let manager: Principal;
let people: Principal[];
let teams: number[];
let tasks: number[];
let keys: number[];
let consoles: ReturnType<typeof openConsoles>;

function openConsoles({ pool }: TestDatabase) {
  const passwords = { hash: () => Promise.reject(new Error('These tests set no password')) };
  return {
    analytics: createTestConsole(pool, analyticsRoutes, createAnalyticsHandlers({ countUsersNearLimit })),
    logs: createTestConsole(pool, logsRoutes, createLogsHandlers()),
    teams: createTestConsole(pool, teamsRoutes, createTeamsHandlers()),
    tasks: createTestConsole(pool, tasksRoutes, createTasksHandlers()),
    portal: createTestConsole(pool, portalRoutes, createPortalHandlers()),
    users: createTestConsole(pool, usersRoutes, createUsersHandlers({ passwords })),
  };
}

const dayMs = 24 * 3_600_000;

function idAt(atMs: number, place: number): string {
  const time = atMs.toString(16).padStart(12, '0');
  const tail = place.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${tail}`;
}

function buildRecords(nowMs: number): RequestRecord[] {
  const pick = <Value>(values: readonly Value[], place: number): Value => values[place % values.length]!;
  return Array.from({ length: 320 }, (_, place) => {
    const receivedAtMs = nowMs - Math.floor((place / 320) * 62 * dayMs) - place;
    const isRefused = place % 11 === 0;
    return createRecord({
      id: idAt(receivedAtMs, place),
      receivedAtMs,
      tenantId: admin.tenantId,
      userId: pick(people, place).userId,
      teamId: pick([null, ...teams], Math.floor(place / 2)),
      taskId: pick([null, ...tasks], Math.floor(place / 3)),
      apiKeyId: pick([null, ...keys], Math.floor(place / 5)),
      llmProviderId: 1 + (place % 3),
      providerKey: pick(['openai', 'anthropic', 'google'], place),
      model: pick(['a', 'b'], Math.floor(place / 7)),
      status: isRefused ? 'refused' : 'success',
      usage: isRefused
        ? null
        : {
            inputTokens: 10 + place,
            cacheReadTokens: 0,
            cacheWriteTokens: 0,
            outputTokens: 5,
            reasoningTokens: 0,
          },
      costNanoUsd: isRefused ? null : String(1_000_000 + place * 1_001),
      isServiceManaged: place % 4 === 0,
      intent: pick(['coding', 'testing', null], place),
      labels: pick<Labels | null>(
        [null, { cost_center: '4711' }, { cost_center: '4711', project: 'x' }, { project: 'y' }],
        place,
      ),
    });
  });
}

beforeAll(async () => {
  database = await createTestDatabase();
  const { pool } = database;
  consoles = openConsoles(database);
  const tenantId = await addTenant(pool, 'One', { timeZone });
  admin = await addPerson(pool, tenantId, 'admin', 'admin@one.test');
  people = [
    await addPerson(pool, tenantId, 'user', 'ann@one.test'),
    await addPerson(pool, tenantId, 'user', 'ben@one.test'),
    await addPerson(pool, tenantId, 'user', 'cy@one.test'),
  ];
  manager = people[0]!;
  const insert = async (text: string, values: unknown[]) =>
    (await pool.query<{ id: number }>(text, values)).rows[0]!.id;
  teams = [];
  for (const name of ['Research', 'Payments']) {
    teams.push(
      await insert('INSERT INTO teams (tenant_id, name) VALUES ($1, $2) RETURNING id', [tenantId, name]),
    );
  }
  await pool.query(
    "INSERT INTO team_members (tenant_id, team_id, user_id, role) VALUES ($1, $2, $3, 'admin'), ($1, $2, $4, 'member')",
    [tenantId, teams[0], manager.userId, people[1]!.userId],
  );
  tasks = [];
  for (const title of ['Parser', 'Report']) {
    tasks.push(
      await insert(
        `INSERT INTO tasks (tenant_id, title, description, category, difficulty_level, estimated_hours)
         VALUES ($1, $2, 'x', 'coding', 'beginner', 1) RETURNING id`,
        [tenantId, title],
      ),
    );
  }
  keys = [91, 92];
  const ship = createShipRequests({ pool, nodeSlot: 0, log: createLogger('error') });
  await ship(buildRecords(Date.now()));
});
afterAll(() => database.close());

const rowsOf = async (query: object): Promise<LogEntry[]> => {
  const rows: LogEntry[] = [];
  for (;;) {
    const page = logsOf(
      await consoles
        .logs({ principal: admin })
        .listLogs({ query: { ...query, skip: rows.length, limit: 200 } }),
    );
    rows.push(...page);
    if (page.length < 200) return rows;
  }
};

const costOf = (rows: readonly LogEntry[]) =>
  Number(rows.reduce((sum, { cost }) => sum + toNanoUsd(cost ?? 0), 0n)) / 1e9;
const tokensOf = (rows: readonly LogEntry[]) => rows.reduce((sum, row) => sum + row.openai_tokens_used, 0);
const today = () => new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(Date.now());

async function spendInLog(query: object): Promise<Spend> {
  const day = today();
  const [year = 0, month = 0] = day.split('-').map(Number);
  const iso = (epochMs: number) => new Date(epochMs).toISOString().slice(0, 10);
  const between = async (start_date: string, end_date: string) =>
    costOf(await rowsOf({ ...query, start_date, end_date }));
  return {
    spend_usd_today: await between(day, day),
    spend_usd_month: await between(`${day.slice(0, 8)}01`, day),
    spend_usd_last_month: await between(iso(Date.UTC(year, month - 2, 1)), iso(Date.UTC(year, month - 1, 0))),
  };
}

const spendOf = ({ spend_usd_today, spend_usd_month, spend_usd_last_month }: Spend): Spend => ({
  spend_usd_today,
  spend_usd_month,
  spend_usd_last_month,
});

describe('cost of list rows', () => {
  it('costs of listed users, teams and tasks equal the costs of their log rows', async () => {
    const asAdmin = { principal: admin };
    const lists = {
      user_id: (await consoles.users(asAdmin).listUsers({ query: {} })).filter(
        ({ id }) => id !== admin.userId,
      ),
      team_id: (await consoles.teams(asAdmin).listTeams({ query: {} })).teams,
      task_id: await consoles.tasks(asAdmin).listTasks({ query: {} }),
    };
    for (const [filter, rows] of Object.entries(lists)) {
      expect(rows.length).toBeGreaterThanOrEqual(2);
      for (const row of rows) {
        const logged = await spendInLog({ [filter]: row.id });
        expect({ filter, ...spendOf(row) }).toEqual({ filter, ...logged });
        expect(logged.spend_usd_month + logged.spend_usd_last_month).toBeGreaterThan(0);
      }
    }
  });

  it('listUsers computes costs from the daily sums, not from the log', async () => {
    await database.pool.query('CREATE TABLE kept_logs AS SELECT * FROM request_logs');
    const before = (await consoles.users({ principal: admin }).listUsers({ query: {} })).map(spendOf);
    await database.pool.query('DELETE FROM request_logs');
    const after = (await consoles.users({ principal: admin }).listUsers({ query: {} })).map(spendOf);
    await database.pool.query('INSERT INTO request_logs SELECT * FROM kept_logs');
    expect(after).toEqual(before);
  });

  it('a user sees only the cost of their own requests', async () => {
    for (const principal of people) {
      const stats = await consoles.portal({ principal }).getUserStats();
      expect(spendOf(stats)).toEqual(await spendInLog({ user_id: principal.userId }));
    }
    const days = await consoles.portal({ principal: manager }).listUserDailyUsage({ query: { days: 90 } });
    const cost = days.reduce((sum, { cost_usd }) => sum + toNanoUsd(cost_usd), 0n);
    expect(cost).toBe(toNanoUsd(costOf(await rowsOf({ user_id: manager.userId }))));
  });

  it('a team administrator sees only the cost of the administered team', async () => {
    const asManager = consoles.teams({ principal: manager });
    const { teams: listed } = await asManager.listTeams({ query: {} });
    expect(listed.map(({ id }) => id)).toEqual([teams[0]]);
    expect(spendOf(listed[0]!)).toEqual(await spendInLog({ team_id: teams[0] }));
    const members = listed[0]!.members ?? [];
    expect(members).toHaveLength(2);
    for (const member of members) {
      const own = { team_id: teams[0], user_id: member.user_id };
      expect(spendOf(member)).toEqual(await spendInLog(own));
    }
    await expect(asManager.getTeamUsage({ params: { id: teams[1]! } })).rejects.toMatchObject({
      status: 404,
    });
  });

  it('the usage of a team equals the sum of its requests in the last 30 days', async () => {
    const usage = await consoles.teams({ principal: manager }).getTeamUsage({ params: { id: teams[0]! } });
    const range = { start_date: usage.days[0]!.date, end_date: usage.days.at(-1)!.date };
    const rows = await rowsOf({ ...range, team_id: teams[0], status: 'admitted' });
    const sum = (parts: readonly { cost_usd: number }[]) =>
      Number(parts.reduce((total, { cost_usd }) => total + toNanoUsd(cost_usd), 0n)) / 1e9;
    expect(rows.length).toBeGreaterThan(0);
    expect([sum(usage.days), sum(usage.models), sum(usage.top_users)]).toEqual([
      costOf(rows),
      costOf(rows),
      costOf(rows),
    ]);
  });

  it('listUsers and getLogTotals contain no cost of another tenant', async () => {
    const other = await addPerson(
      database.pool,
      await addTenant(database.pool, 'Two', { timeZone }),
      'admin',
      'admin@two.test',
    );
    const [own] = await consoles.users({ principal: other }).listUsers({ query: {} });
    expect(spendOf(own!)).toEqual({ spend_usd_today: 0, spend_usd_month: 0, spend_usd_last_month: 0 });
    expect(await consoles.logs({ principal: other }).getLogTotals({ query: {} })).toMatchObject({
      requests: 0,
    });
  });
});

const usageFilters = () => ({
  user_id: people[1]!.userId,
  team_id: [teams[0]!],
  task_id: tasks[1]!,
  api_key_id: keys[0]!,
  model: 'b',
  provider_key: 'anthropic',
  label: 'cost_center=4711',
});

describe('filters of usage', () => {
  it.each(['user_id', 'team_id', 'task_id', 'api_key_id', 'model', 'provider_key', 'label'] as const)(
    'analytics filtered by %s equal the log rows, with and without another filter',
    async (name) => {
      const all = usageFilters();
      const others = Object.entries(all).filter(([other]) => other !== name);
      let mostRows = 0;
      for (const more of [{}, ...others.map((entry) => Object.fromEntries([entry]))]) {
        const query = { days: 90, ...more, [name]: all[name] };
        const analytics = consoles.analytics({ principal: admin });
        const usage = await analytics.getUsageFigures({ query });
        const { days: _, ...filters } = query;
        const rows = await rowsOf({ ...filters, status: 'admitted' });
        expect({
          query,
          requests: usage.total_requests,
          tokens: usage.total_tokens_used,
          cost: usage.cost_usd,
        }).toEqual({
          query,
          requests: rows.length,
          tokens: tokensOf(rows),
          cost: costOf(rows),
        });
        const daily = await analytics.listDailyUsage({ query });
        expect(daily.reduce((sum, { requests }) => sum + requests, 0)).toBe(rows.length);
        const users = await analytics.listTopUsers({ query: { ...query, metric: 'cost' } });
        expect(users.reduce((sum, { cost_usd }) => sum + toNanoUsd(cost_usd), 0n)).toBe(
          toNanoUsd(costOf(rows)),
        );
        const costs = users.map(({ cost_usd }) => cost_usd);
        expect(costs).toEqual(costs.toSorted((one, other) => other - one));
        mostRows = Math.max(mostRows, rows.length);
      }
      expect(mostRows).toBeGreaterThan(0);
    },
  );

  it('listTopLabels matches the log rows of each label value, and listUsedLabels lists the values', async () => {
    const analytics = consoles.analytics({ principal: admin });
    const query = { days: 90, metric: 'cost' } as const;
    const tops = await analytics.listTopLabels({ query: { ...query, label_name: 'project' } });
    expect(tops.map(({ value }) => value).toSorted()).toEqual(['x', 'y']);
    for (const { value, total_requests, cost_usd } of tops) {
      const rows = await rowsOf({ label: `project=${value}`, status: 'admitted' });
      expect([total_requests, cost_usd]).toEqual([rows.length, costOf(rows)]);
    }
    const any = await rowsOf({ label: 'project', status: 'admitted' });
    expect(any.length).toBe(tops.reduce((sum, { total_requests }) => sum + total_requests, 0));
    expect(await analytics.listUsedLabels({ query: { days: 90 } })).toEqual([
      { name: 'cost_center', values: ['4711'] },
      { name: 'project', values: expect.arrayContaining(['x', 'y']) },
    ]);
  });

  it('analytics filtered by several teams return their sum, and listTopTeams returns the cost of each', async () => {
    const analytics = consoles.analytics({ principal: admin });
    const both = await analytics.getUsageFigures({ query: { days: 90, team_id: teams } });
    const ranked = await analytics.listTopTeams({ query: { days: 90, metric: 'cost' } });
    const sumOf = (rows: typeof ranked) => rows.reduce((sum, row) => sum + toNanoUsd(row.cost_usd), 0n);
    const ofTeams = ranked.filter(({ team_id }) => team_id !== null);
    expect(ofTeams.map(({ team_id }) => team_id).toSorted()).toEqual(teams.toSorted());
    for (const row of ofTeams) expect(row.cost_usd).toBe(costOf(await rowsOf({ team_id: row.team_id })));
    expect(toNanoUsd(both.cost_usd)).toBe(sumOf(ofTeams));
    const all = await analytics.getUsageFigures({ query: { days: 90 } });
    expect(toNanoUsd(all.cost_usd)).toBe(sumOf(ranked));
    expect(ranked.find(({ team_id }) => team_id === null)).toMatchObject({ team_name: 'No team' });
  });
});

describe('totals of the log', () => {
  const filterValues = (): Record<keyof typeof logFilters, unknown> => ({
    ...usageFilters(),
    by_api_key: 'true',
    start_date: '2000-01-01',
    end_date: today(),
    status: 'refused',
    intent_classification: 'coding',
    error_code: 'none',
    user: 'an',
    task: 'Pars',
    team: 'resea',
    key: 'none',
    cost_above: 0.0011,
    cost_below: 0.0012,
    tokens_above: 100,
    tokens_below: 100,
    response_time_above_ms: 1,
    response_time_below_ms: 1,
    since: '1d',
    until: 'today',
    search: 'ann',
    query: 'team:payments user:ben',
  });

  it.each(Object.keys(logFilters))(
    'log totals filtered by %s equal the sums of the exported rows',
    async (name) => {
      const values = filterValues();
      const dates = name.endsWith('_date')
        ? { start_date: values.start_date, end_date: values.end_date }
        : {};
      const query: object = { ...dates, [name]: Reflect.get(values, name) };
      const logs = consoles.logs({ principal: admin });
      const file = await (await logs.exportLogs({ query: { ...query, format: 'jsonl' } })).text();
      const rows: LogEntry[] = file
        .split('\n')
        .filter((line) => line.startsWith('{"id"'))
        .map((line) => JSON.parse(line));
      const totals = {
        requests: rows.length,
        total_tokens: tokensOf(rows),
        cost_usd: costOf(rows),
        is_exact: true,
      };
      expect(await logs.getLogTotals({ query })).toEqual(totals);
      expect(await logs.listLogs({ query: { ...query, limit: 1, with_totals: 'true' } })).toMatchObject({
        totals,
      });
    },
  );

  it('the query team: and the filter team_id match the same requests, and unknown teams match none', async () => {
    const logs = consoles.logs({ principal: admin });
    const byName = await logs.getLogTotals({ query: { query: 'team:Research' } });
    expect(byName.requests).toBeGreaterThan(0);
    expect(byName).toEqual(await logs.getLogTotals({ query: { team_id: teams[0] } }));
    expect(await logs.getLogTotals({ query: { query: 'team:nobody' } })).toMatchObject({ requests: 0 });
    expect(await logs.getLogTotals({ query: { team_id: teams } })).toMatchObject({
      requests: (await rowsOf({ team_id: teams })).length,
    });
  });
});
