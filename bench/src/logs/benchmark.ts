import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { analyticsRoutes, logsRoutes } from '@sluice/contract';
import { seedLog } from '../../../server/demo/seed-log.ts';
import { seedPeople } from '../../../server/demo/seed-people.ts';
import { createAnalyticsHandlers } from '../../../server/src/console/analytics/routes.ts';
import { createLogsHandlers } from '../../../server/src/console/logs/routes.ts';
import { syncRegistry } from '../../../server/src/console/provider-registry/sync-registry.ts';
import { indexRanges } from '../../../server/src/db/log-partitions/day-indexes.ts';
import { dayOf } from '../../../server/src/db/log-partitions/day-partition.ts';
import { createSystemDatabase } from '../../../server/src/db/system.ts';
import { addPerson, addTenant, createTestConsole } from '../../../server/test/console/console.ts';
import { createClusterDatabase, type TestDatabase } from '../../../server/test/database/cluster-database.ts';
import { startTestCluster } from '../../../server/test/database/database-cluster.ts';
import { describeRun, formatTable } from '../report/document.ts';
import { median, percentile } from '../report/statistics.ts';
import { exportAll } from './export-all.ts';
import { writeWhile } from './write-while.ts';

export interface Options {
  readonly rows: number;
  readonly days: number;
  readonly bodyDays: number;
  readonly repeats: number;
  /** Settings of the database server: those of the tests (no durability, no autovacuum), or those of the product. */
  readonly server: 'test' | 'product';
}

const usage = `npm run bench logs -- [options]
  --rows <n>       rows of the request log (default 300000)
  --days <n>       number of days that the rows span (default 90)
  --body-days <n>  number of newest days whose rows have texts (default 3)
  --repeats <n>    number of runs of each query (default 20)
  --product-server with the crash-safe PostgreSQL settings of the product`;

/** Parses the command line; throws an error that explains the options if it is invalid. */
export function readOptions(args: string[]): Options {
  try {
    const { values } = parseArgs({
      args,
      options: {
        rows: { type: 'string', default: '300000' },
        days: { type: 'string', default: '90' },
        'body-days': { type: 'string', default: '3' },
        repeats: { type: 'string', default: '20' },
        'product-server': { type: 'boolean', default: false },
      },
    });
    return {
      rows: readCount(values.rows),
      days: readCount(values.days),
      bodyDays: readCount(values['body-days']),
      repeats: readCount(values.repeats),
      server: values['product-server'] ? 'product' : 'test',
    };
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
}

function readCount(text: string): number {
  if (!/^[1-9]\d{0,7}$/.test(text)) throw new Error(`"${text}" is not a positive integer`);
  return Number(text);
}

const questions: readonly (readonly [name: string, query: Record<string, unknown>])[] = [
  ['no filter', {}],
  ['status:error', { status: 'error' }],
  ['status:refused', { status: 'refused' }],
  ['code', { error_code: 'model_blacklisted' }],
  ['model', { model: 'gpt-4o' }],
  ['model:gpt*', { model: 'gpt*' }],
  ['model, none has it', { model: 'no-such-model' }],
  ['provider', { provider_key: 'deepseek' }],
  ['intent', { intent_classification: 'off_topic' }],
  ['person', { user: 'Uli Castro' }],
  ['task', { task: 'handbook' }],
  ['cost above a tenth of a dollar', { cost_above: 0.1 }],
  ['more than 4000 tokens', { tokens_above: 4000 }],
  ['longer than 9 s', { response_time_above_ms: 9000 }],
  ['search: rare words', { search: 'semaphore webhook iterator' }],
  ['search: in nothing', { search: 'zebrafinch' }],
  ['search: in nearly all', { search: 'needs a' }],
  ['search: a person', { search: 'ada abel' }],
  ['search: a reason', { search: 'upstream_timeout' }],
  ['search: in errors alone', { search: 'parser', status: 'error' }],
  ['search: end of an id', { search: '0123abcd' }],
];

/**
 * Measures request log and analytics calls over generated rows in an embedded PostgreSQL: call latency, effects of an
 * export on this process, and the speed of batch writes during reads and while days are dropped.
 */
export async function run(args: string[]): Promise<void> {
  const options = readOptions(args);
  const cluster = await startTestCluster(options.server);
  try {
    const database = await createClusterDatabase(cluster.url, cluster.template);
    try {
      console.log(`\n${describeRun('logs', args)}\n`);
      const { admin, logs, analytics } = await fill(database, options);
      const asked = questions.map(([name, query]) => [name, () => logs.listLogs({ query })] as const);
      console.log(
        await timeCalls('list', options.repeats, [...asked, ['facets', () => logs.getLogFacets({})]]),
      );
      console.log(await timeCalls('analytics', options.repeats, listFigures(analytics, options.days)));
      console.log(await exportAll(database.pool, admin));
      console.log(await writeWhile(database, () => logs.listLogs({ query: { status: 'error' } })));
      console.log(
        `\nload average at the end: ${loadavg()
          .map((load) => load.toFixed(1))
          .join(' ')}`,
      );
    } finally {
      await database.close();
    }
  } finally {
    await cluster.stop();
  }
}

async function fill(database: TestDatabase, options: ReturnType<typeof readOptions>) {
  const { pool } = database;
  await syncRegistry(createSystemDatabase(pool));
  const tenantId = await addTenant(pool, 'Home');
  const [client, other] = [await pool.connect(), await pool.connect()];
  const beganAtMs = performance.now();
  await seedPeople(client);
  await seedLog(client, { ...options, nowMs: Date.now(), others: [other] });
  const seconds = (performance.now() - beganAtMs) / 1000;
  // Filling a table does not vacuum its pages or update the visibility map, which autovacuum does over time.
  await client.query('VACUUM ANALYZE');
  // As the hourly job does.
  await indexRanges(client, dayOf(Date.now()));
  other.release();
  client.release();
  const { rows } = await pool.query(sizes);
  console.log(
    `${options.rows} rows made in ${seconds.toFixed(1)} s (${Math.round(options.rows / seconds)} a second); on disk: ${rows.map(({ part, size }) => `${part} ${size}`).join(', ')}\n`,
  );
  const admin = await addPerson(pool, tenantId, 'admin', 'admin@home.test');
  return {
    admin,
    logs: createTestConsole(pool, logsRoutes, createLogsHandlers())({ principal: admin }),
    analytics: createTestConsole(pool, analyticsRoutes, createAnalyticsHandlers())({ principal: admin }),
  };
}

const sizes = `SELECT pg_size_pretty(sum(pg_total_relation_size(c.oid))) AS size,
    CASE WHEN relname LIKE 'request_log_bodies%' THEN 'texts' WHEN relname LIKE 'request_logs%' THEN 'rows'
      WHEN relname = 'usage_rollups' THEN 'rollups' ELSE 'days' END AS part
  FROM pg_class c WHERE relkind = 'r' AND (relname LIKE 'request_log%' OR relname IN ('usage_rollups', 'usage_days'))
  GROUP BY 2 ORDER BY 2`;

type Analytics = ReturnType<ReturnType<typeof createTestConsole<typeof analyticsRoutes>>>;

/** Returns the calls of the analytics page, each alone and then all at once, as a browser sends them. */
function listFigures(analytics: Analytics, rangeDays: number) {
  const query = { days: Math.min(rangeDays, 90) };
  const calls = [
    ['usage', () => analytics.getUsageFigures({ query })],
    ['daily usage', () => analytics.listDailyUsage({ query })],
    ['top users', () => analytics.listTopUsers({ query })],
    ['top models', () => analytics.listTopModels({ query })],
    ['top keys', () => analytics.listTopApiKeys({ query })],
    ['spend by provider', () => analytics.listSpendByProvider({ query })],
  ] as const;
  return [
    ...calls,
    ['all six at once', () => Promise.all(calls.map(([, call]) => call()))],
    ['today', () => analytics.getToday()],
  ] as const;
}

type NamedCall = readonly [name: string, call: () => Promise<unknown>];

/** Returns a row with the latency of each call, measured sequentially. */
export async function timeCalls(
  heading: string,
  repeats: number,
  calls: readonly NamedCall[],
): Promise<string> {
  const rows = [[heading, 'median ms', 'p95 ms']];
  for (const [name, call] of calls) rows.push([name, ...(await timeCall(repeats, call))]);
  return `${formatTable(rows)}\n`;
}

async function timeCall(repeats: number, call: () => Promise<unknown>): Promise<string[]> {
  const times: number[] = [];
  for (let turn = 0; turn <= repeats; turn++) {
    const beganAtMs = performance.now();
    await call();
    // The first turn is a warm-up.
    if (turn > 0) times.push(performance.now() - beganAtMs);
  }
  return [median(times), percentile(times, 0.95)].map((ms) => ms.toFixed(1));
}
