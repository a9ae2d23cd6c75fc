import { isDeepStrictEqual } from 'node:util';
import { logFilters, logsOf, logsRoutes } from '@sluice/contract';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createLogsHandlers } from '#console/logs/routes.ts';
import { createRunInTenant } from '#db/tenant.ts';
import type { ServedFilter, TenantLog } from '#domain/request-log/tenant-log.ts';
import { type BothLogs, openBothLogs } from '#test/clickhouse/both-logs.ts';
import {
  errorCodes,
  intents,
  type LogTenant,
  models,
  pick,
  providerKeys,
  words,
} from '#test/clickhouse/random-log.ts';
import { describeWithClickhouse } from '#test/clickhouse/start-chdb.ts';
import { addPerson, createTestConsole } from '#test/console/console.ts';
import type { TestDatabase } from '#test/database/database.ts';
import { isFullSize, sample } from '#test/load/sample.ts';
import { createRandom } from '#test/processes/seeded-random.ts';
import { postgresRequestLog } from './postgres/postgres-request-log.ts';
import type { RequestLog } from './request-log.ts';

const rowCount = isFullSize ? 200_000 : 1_000;
const combinations = isFullSize ? 100 : 10;
const random = createRandom(isFullSize ? String(Date.now()) : '20261126');

type Calls = ReturnType<ReturnType<typeof createTestConsole<typeof logsRoutes>>>;
type Query = Parameters<Calls['listLogs']>[0] extends infer Input ? NonNullable<Input> : never;

let logs: BothLogs;
let database: TestDatabase;
let requestLog: RequestLog;
let home: LogTenant;
let other: LogTenant;
let ids: readonly string[];
let foreignIds: readonly string[];
let inPostgres: Calls;
let inClickhouse: Calls;

async function start(): Promise<void> {
  logs = await openBothLogs(random, rowCount, addCorrections);
  ({ database, requestLog, home, other, ids, foreignIds } = logs);
  const principal = await addPerson(database.pool, home.id, 'admin', 'admin@home.test');
  const open = (openLog?: RequestLog['openTenant']) =>
    createTestConsole(database.pool, logsRoutes, createLogsHandlers(), openLog)({ principal });
  inPostgres = open();
  inClickhouse = open(requestLog.openTenant);
}

async function addCorrections({ pool }: TestDatabase, { id, users }: LogTenant): Promise<void> {
  await pool.query(
    `INSERT INTO intent_corrections (request_id, tenant_id, intent, corrected_by)
     SELECT id, tenant_id, 'research', $1 FROM (SELECT * FROM request_logs WHERE tenant_id = $2 ORDER BY id DESC LIMIT 400) l
     WHERE right(id::text, 1) < '8'`,
    [users[0], id],
  );
}

const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
const some = <Value>(values: readonly Value[]) => pick(random, values);

/** The type requires an entry for every filter. */
const valuesOf: { readonly [Name in keyof typeof logFilters]: () => readonly unknown[] } = {
  user_id: () => [some(home.users), other.users[0]],
  task_id: () => [some(home.tasks), 1_000_000],
  team_id: () => [[some(home.teams)], home.teams.slice(0, 2)],
  api_key_id: () => [some(home.apiKeys)],
  by_api_key: () => ['true', 'false'],
  start_date: () => [day(8)],
  end_date: () => [day(3)],
  status: () => ['success', 'error', 'client_closed', 'refused', 'admitted'],
  intent_classification: () => [some(intents), 'not_classified'],
  model: () => [some(models), 'gpt*', '*4*', 'claude%*', 'llama\\*', '*_*'],
  provider_key: () => [some(providerKeys)],
  error_code: () => [some(errorCodes), 'quota_exceeded'],
  user: () => ['ann', 'ANNE OZ', 'öz', '100%', 'ilker', 'İLK', 'strasser', '@names.test', 'nobody at all'],
  task: () => ['task', 'naive', 'strasse', '100%', '_', 'no such task'],
  team: () => ['blue', 'rot', '100%', 'none of them'],
  key: () => ['laptop', 'ci_', 'none of them'],
  label: () => ['cost_center', 'cost_center=4711', 'cost_center=', 'stage=prod', 'stage=Prod', 'missing=1'],
  since: () => ['3d', '90m', 'today', 'yesterday', 'month', day(5), `${day(4)}T10:00Z`],
  until: () => ['1d', '12h', 'yesterday', day(2), `${day(1)}T10:00:00.123+05:45`],
  cost_above: () => ['0', '0.01', '0.0000149'],
  cost_below: () => ['0.01', '0.000015', '0.0000151'],
  tokens_above: () => ['500', '999.5', '0'],
  tokens_below: () => ['500', '999.5'],
  response_time_above_ms: () => ['12.5', '5000', '0'],
  response_time_below_ms: () => ['12.5', '5000', '0.1'],
  search: () => [
    ...sample(words, 4),
    ...sample(words, 4, 1).map((word) => word.toLocaleUpperCase()),
    ...sample(words, 4, 2).map((word) => word.toLocaleLowerCase()),
    ...[
      'a',
      'ΟΣ',
      'Quota',
      'anne oz',
      '%',
      '_',
      '\\',
      'no such word',
      some(ids),
      some(ids).slice(-8),
      some(ids).slice(-13),
    ],
    ...[some(ids).slice(-12).toUpperCase(), some(ids).slice(-20), some(ids).slice(-20).replaceAll('-', '')],
  ],
  query: () => [
    ...[
      'status:error',
      'model:gpt* user:ann',
      'cost>0.01 tokens<900',
      'time>5000 intent:coding',
      'label:stage',
    ],
    ...[
      'webhook status:refused',
      'code:model_blacklisted since:7d',
      '"snake_case" provider:openai',
      'key:laptop team:blue',
    ],
  ],
};

const partners: Readonly<Record<string, () => object>> = {
  start_date: () => ({ end_date: day(1) }),
  end_date: () => ({ start_date: day(12) }),
};

const ignoringQuery = (name: string) => name !== 'query';

/** Returns the number of matching rows. */
async function compare(filters: object): Promise<number> {
  const query = filters as Query['query'];
  const lists = async (calls: Calls) => {
    let total: string | null = null;
    const onHeaders = (headers: Headers) => {
      total = headers.get('x-total-count');
    };
    const page = { skip: Math.floor(rowCount / 500), limit: 50 };
    const first = logsOf(await calls.listLogs({ query: { ...query, limit: 50 } }, { onHeaders }));
    const skipped = logsOf(await calls.listLogs({ query: { ...query, ...page } }));
    const before = first[20]?.id;
    return {
      total,
      first,
      skipped,
      next: before && logsOf(await calls.listLogs({ query: { ...query, limit: 5, before } })),
      count: await calls.countLogs({ query }),
      totals: await calls.getLogTotals({ query }),
      facets: await calls.getLogFacets({ query }),
    };
  };
  const [expected, found] = [await lists(inPostgres), await lists(inClickhouse)];
  expect(found, JSON.stringify(filters)).toEqual(expected);
  return expected.count.count;
}

/** A rejection counts as a result. */
async function callBoth<Result>(call: (log: TenantLog) => Promise<Result>) {
  const run = async (openLog: RequestLog['openTenant']) =>
    createRunInTenant(database.pool, openLog)(home.id, ({ requestLog: log }) => call(log));
  return { expected: await run(postgresRequestLog.openTenant), found: await run(requestLog.openTenant) };
}

const sorted = <Row>(rows: readonly Row[], keyOf: (row: Row) => string): Row[] =>
  rows.toSorted((one, next) => keyOf(one).localeCompare(keyOf(next)));

const everyUsage = () => [
  {},
  { userId: some(home.users) },
  { teamIds: home.teams.slice(0, 2) },
  { teamIds: [] },
  { taskId: some(home.tasks) },
  { apiKeyIds: home.apiKeys },
  { model: some(models), providerKey: some(providerKeys) },
  { label: { name: 'stage', value: null } },
  { label: { name: 'cost_center', value: '' } },
];

/** The type requires an entry for every method of the port except lists. */
const callsOf: {
  readonly [Name in keyof TenantLog]: () => readonly ((log: TenantLog) => Promise<unknown>)[];
} = {
  limitTime: () => [(log) => log.limitTime(10_000)],
  isTimeout: () => [async (log) => log.isTimeout(new Error('other'))],
  findPage: () => [(log) => log.findPage({}, { skip: 3, limit: 4, countMax: 5 })],
  selectRows: () => [
    (log) => log.selectRows(ids.slice(0, 200)),
    (log) => log.selectRows(ids.slice(0, 50), 7),
    (log) => log.selectRows([...foreignIds, ids[0] ?? '']),
    (log) => log.selectRows([]),
  ],
  countRows: () => [(log) => log.countRows({}, 100), (log) => log.countRows({}, 1_000_000)],
  countFacets: () => [
    async (log) =>
      sorted(await log.countFacets({}, 500), ({ facet, value, count }) => `${count} ${facet} ${value}`),
  ],
  sumRows: () => [(log) => log.sumRows({}, 100), (log) => log.sumRows({ status: 'error' }, 1_000_000)],
  findBody: () => [...ids.slice(0, 40), foreignIds[0] ?? ''].map((id) => (log) => log.findBody(id)),
  findOwnRow: () =>
    ids
      .slice(0, 40)
      .flatMap((id) => home.users.slice(0, 3).map((userId) => (log) => ownRow(log, id, userId))),
  findFigures: () => [...ids.slice(0, 20), foreignIds[0] ?? ''].map((id) => (log) => log.findFigures(id)),
  findPrompt: () =>
    ids
      .slice(0, 20)
      .flatMap((id, place) => [
        (log: TenantLog) => log.findPrompt(id),
        (log: TenantLog) => log.findPrompt(id, home.users[place % home.users.length]),
      ]),
  // Covered by the tests of routes that record reads.
  noteOwners: () => [],
  selectRecent: () =>
    [...home.users.slice(0, 3), ...other.users.slice(0, 1)].map((id) => (log) => log.selectRecent(id, 10)),
  findAnswered: () => [(log) => log.findAnswered(1_000), (log) => log.findAnswered(1)],
  countOldRows: () => [
    (log) => log.countOldRows(new Date(day(5)), 1_000_000),
    (log) => log.countOldRows(new Date(), 7),
  ],
  countOldBodies: () => [(log) => log.countOldBodies([new Date(day(9)), new Date(day(5))], 1_000_000)],
  countRefusals: () =>
    everyUsage().map(
      (usage) => (log) =>
        log.countRefusals({
          ...usage,
          timeZone: 'Asia/Kathmandu',
          firstDay: day(15),
          lastDay: day(0),
          from: `${day(15)} 00:00:00+05:45`,
          end: `${day(-1)} 00:00:00+05:45`,
        }),
    ),
  selectLatencies: () =>
    [50, 20_000].map(
      (most) => async (log) => sorted(await log.selectLatencies(most), ({ id }) => String(id)),
    ),
  sumByProvider: () => [2, 30].map((count) => (log) => log.sumByProvider(count)),
  countDrilled: () => [(log) => log.countDrilled(home.instances[0] ?? 0, new Date(day(6)), 1_000_000)],
  selectDrilled: () =>
    [20, 1_000].map((most) => async (log) => {
      const groups = await log.selectDrilled(home.instances[0] ?? 0, new Date(day(6)), most);
      const inOrder = groups.map(({ charged, ...group }) => ({
        ...group,
        charged: sorted(charged, (one) => JSON.stringify(one)),
      }));
      return sorted(inOrder, ({ userId, modelRequested, model, operation }) =>
        JSON.stringify([userId, modelRequested, model, operation]),
      );
    }),
  readScored: () => [3, 30].map((count) => (log) => Array.fromAsync(log.readScored(count))),
  readServed: () =>
    (['usd', 'tokens', 'requests', 'parallel_requests'] as const).flatMap((amount) =>
      everyUsage().map((usage) => {
        const filter = { ...servedFilter(amount), ...usage };
        return (log: TenantLog) => Array.fromAsync(log.readServed(filter));
      }),
    ),
};

const servedFilter = (amount: ServedFilter['amount']): ServedFilter => ({
  amount,
  countsRequests: amount === 'requests',
  llmProviderId: random() < 0.5 ? null : some(home.instances),
  since: random() < 0.5 ? null : `${day(4)}T10:00:00.001Z`,
  days: 10,
  limit: 400,
});

/** Replaces columns that only PostgreSQL returns with constants. */
async function ownRow(log: TenantLog, id: string, userId: number) {
  const row = await log.findOwnRow(id, userId);
  return (
    row && {
      ...row,
      ...{
        tenantId: 0,
        apiKeyId: 0,
        teamId: 0,
        llmProviderId: 0,
        protocol: '',
        operation: '',
        attempts: 0,
        isServiceManaged: false,
      },
    }
  );
}

describeWithClickhouse('the request log in ClickHouse', () => {
  if (isFullSize) vi.setConfig({ testTimeout: 3_600_000, hookTimeout: 3_600_000 });
  // Freeze the time, because relative times must be equal for both databases.
  beforeAll(() => vi.useFakeTimers({ toFake: ['Date'] }) && start());
  afterAll(() => logs.close().finally(() => vi.useRealTimers()));

  it.each(Object.keys(logFilters))(
    'ClickHouse lists filtered by %s equal those of PostgreSQL',
    async (name) => {
      // safe because the names are the keys of the filters
      const values = valuesOf[name as keyof typeof logFilters]();
      let matches = 0;
      for (const value of values) matches += await compare({ [name]: value, ...partners[name]?.() });
      expect(matches).toBeGreaterThan(0);
    },
  );

  it('ClickHouse lists with several random filters equal those of PostgreSQL', async () => {
    const names = Object.keys(valuesOf).filter(ignoringQuery) as (keyof typeof logFilters)[];
    let matches = 0;
    for (let round = 0; round < combinations; round++) {
      const chosen = Array.from({ length: 2 + Math.floor(random() * 2) }, () => some(names));
      const filters = Object.fromEntries(chosen.map((name) => [name, some(valuesOf[name]())]));
      matches += await compare({
        ...filters,
        ...('start_date' in filters !== 'end_date' in filters && { start_date: day(12), end_date: day(1) }),
      });
    }
    expect(matches).toBeGreaterThan(0);
  });

  it('ClickHouse lists without a filter, details and bodies equal those of PostgreSQL', async () => {
    expect(await compare({})).toBe(rowCount);
    for (const id of [...ids.slice(-30), ...foreignIds.slice(0, 2)]) {
      const read = (calls: Calls) =>
        Promise.allSettled([calls.getLog({ params: { id } }), calls.getLogBody({ params: { id } })]);
      expect(await read(inClickhouse)).toEqual(await read(inPostgres));
    }
  });

  it('ClickHouse exports equal those of PostgreSQL', async () => {
    for (const format of ['csv', 'jsonl'] as const) {
      const query = { format, status: 'error' } as const;
      const [expected, found] = [
        await inPostgres.exportLogs({ query }),
        await inClickhouse.exportLogs({ query }),
      ];
      expect(await found.text()).toBe(await expected.text());
    }
  });

  it.each(Object.keys(callsOf))('%s returns the same result in ClickHouse as in PostgreSQL', async (name) => {
    // safe because the names are the keys of the port
    const calls = callsOf[name as keyof TenantLog]();
    let filled = 0;
    for (const call of calls) {
      const { expected, found } = await callBoth(call);
      expect(found).toEqual(expected);
      if (!isDeepStrictEqual(expected, []) && expected !== undefined) filled++;
    }
    if (calls.length > 0 && name !== 'limitTime') expect(filled).toBeGreaterThan(0);
  });
});
