import { logsRoutes } from '@sluice/contract';
import { seedLog } from '../../../server/demo/seed-log.ts';
import { seedPeople } from '../../../server/demo/seed-people.ts';
import { createLogsHandlers } from '../../../server/src/console/logs/routes.ts';
import { syncRegistry } from '../../../server/src/console/provider-registry/sync-registry.ts';
import { createSystemDatabase } from '../../../server/src/db/system.ts';
import { createClusterDatabase, type TestDatabase } from '../../../server/test/cluster-database.ts';
import { addPerson, addTenant, createTestConsole } from '../../../server/test/console.ts';
import { startTestCluster } from '../../../server/test/database-cluster.ts';
import { describeRun } from '../report/machine.ts';
import { median, percentile } from '../report/statistics.ts';
import { formatTable } from '../report/table.ts';
import { readOptions } from './options.ts';
import { writeWhile } from './write-while.ts';

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
  ['search: rare words', { search: 'semaphore webhook iterator' }],
  ['search: in nothing', { search: 'zebrafinch' }],
  ['search: in nearly all', { search: 'needs a' }],
  ['search: a person', { search: 'ada abel' }],
  ['search: a reason', { search: 'upstream_timeout' }],
  ['search: end of an id', { search: '0123abcd' }],
];

/**
 * Measures the request log's calls over made-up rows, against an embedded PostgreSQL: how long each question takes, how fast
 * batches are written while somebody reads, and what a day that is dropped meanwhile does to them.
 */
export async function run(args: string[]): Promise<void> {
  const options = readOptions(args);
  const cluster = await startTestCluster();
  try {
    const database = await createClusterDatabase(cluster.url, cluster.template);
    try {
      console.log(`\n${describeRun('logs', args)}\n`);
      const ask = await fill(database, options);
      console.log(await measureQuestions(ask, options.repeats));
      console.log(await writeWhile(database, () => ask.listLogs({ status: 'error' })));
    } finally {
      await database.close();
    }
  } finally {
    await cluster.stop();
  }
}

type Ask = Record<'listLogs' | 'getLogFacets', (query: object) => Promise<unknown>>;

async function fill(database: TestDatabase, options: ReturnType<typeof readOptions>): Promise<Ask> {
  const { pool } = database;
  await syncRegistry(createSystemDatabase(pool));
  const tenantId = await addTenant(pool, 'Home');
  const client = await pool.connect();
  const beganAtMs = performance.now();
  await seedPeople(client);
  await seedLog(client, { ...options, nowMs: Date.now() });
  await client.query('VACUUM ANALYZE');
  client.release();
  const seconds = (performance.now() - beganAtMs) / 1000;
  const { rows } = await pool.query(`SELECT pg_size_pretty(sum(pg_total_relation_size(c.oid))) AS size,
      CASE WHEN relname LIKE 'request_log_bodies%' THEN 'texts' WHEN relname LIKE 'request_logs%' THEN 'rows' ELSE 'rollups' END AS part
    FROM pg_class c WHERE relkind = 'r' AND (relname LIKE 'request_log%' OR relname = 'usage_rollups') GROUP BY 2 ORDER BY 2`);
  console.log(
    `${options.rows} rows made in ${seconds.toFixed(1)} s (${Math.round(options.rows / seconds)} a second); on disk: ${rows.map(({ part, size }) => `${part} ${size}`).join(', ')}\n`,
  );
  const admin = await addPerson(pool, tenantId, 'admin', 'admin@home.test');
  const logs = createTestConsole(pool, logsRoutes, createLogsHandlers())({ principal: admin });
  return {
    listLogs: (query) => logs.listLogs({ query }),
    getLogFacets: (query) => logs.getLogFacets({ query }),
  };
}

async function measureQuestions(ask: Ask, repeats: number): Promise<string> {
  const rows: string[][] = [];
  for (const [name, query] of questions) {
    const times = await time(repeats, () => ask.listLogs(query));
    rows.push([name, ...times]);
  }
  rows.push(['facets', ...(await time(repeats, () => ask.getLogFacets({})))]);
  return formatTable([['list', 'median ms', 'p95 ms'], ...rows]);
}

async function time(repeats: number, call: () => Promise<unknown>): Promise<string[]> {
  const times: number[] = [];
  for (let turn = 0; turn <= repeats; turn++) {
    const beganAtMs = performance.now();
    await call();
    // The first one warms up.
    if (turn > 0) times.push(performance.now() - beganAtMs);
  }
  return [median(times), percentile(times, 0.95)].map((ms) => ms.toFixed(1));
}
