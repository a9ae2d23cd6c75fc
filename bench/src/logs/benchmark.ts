import { loadavg } from 'node:os';
import { analyticsRoutes, logsRoutes } from '@sluice/contract';
import { createAnalyticsHandlers } from '../../../server/src/console/analytics/routes.ts';
import { createLogsHandlers } from '../../../server/src/console/logs/routes.ts';
import { countUsersNearLimit } from '../../../server/src/console/users/near-limits.ts';
import { createTestConsole } from '../../../server/test/console/console.ts';
import { atMost, describeRun, formatTable, type Goal, publish } from '../report/document.ts';
import { exportAll } from './export-all.ts';
import { type Options, readOptions } from './options.ts';
import { allAtOnce, analyticsCalls, listCalls, searchCalls, type Timing, timeCalls } from './questions.ts';
import { type FilledLog, openFilledLog } from './stores.ts';
import { writeWhile } from './write-while.ts';

/** Target 95th percentiles in milliseconds. They apply from a minimum number of rows. */
const goals = {
  postgres: { rows: 10_000_000, list: 50, search: 300, analytics: 150 },
  clickhouse: { rows: 100_000_000, list: 150, search: 1_000, analytics: 400 },
} as const;

export async function run(args: string[]): Promise<void> {
  const options = readOptions(args);
  await using resources = new AsyncDisposableStack();
  const log = await openFilledLog(resources, options);
  if (options.isFillOnly) return;
  console.log(`\n${describeRun('logs', args)}\n`);
  const { pool, requestLog, admin } = log;
  const openConsole = { principal: admin };
  const logs = createTestConsole(pool, logsRoutes, createLogsHandlers(), requestLog.openTenant)(openConsole);
  const analytics = createTestConsole(
    pool,
    analyticsRoutes,
    createAnalyticsHandlers({ countUsersNearLimit }),
    requestLog.openTenant,
  )(openConsole);
  const time = (calls: Parameters<typeof timeCalls>[0]) =>
    timeCalls(calls, options.repeats, log.forgetQueries);
  const lists = await time(listCalls(logs));
  const searches = await time(searchCalls(logs));
  const facets = await time([['facets', () => logs.getLogFacets({})]]);
  const figures = await time(analyticsCalls(analytics, options.days));
  const tables = [
    await describeSizes(log, options),
    formatTimings('list', [...lists, ...searches, ...facets]),
    formatTimings('analytics', figures),
    await exportAll(log),
    ...(options.store === 'postgres' && options.dataDir === null
      ? [await writeWhile(pool, () => logs.listLogs({ query: { status: 'error' } }))]
      : []),
    `load average at the end: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}`,
  ];
  const reached = judge(options, { lists, searches, figures });
  publish(`logs-${options.store}`, args, { goals: reached, tables }, 'logs');
}

async function describeSizes(log: FilledLog, { rows }: Options): Promise<string> {
  const sizes = await log.measureSizes();
  const lines = [...sizes].map(([part, bytes]) => [
    part,
    (bytes / 1e9).toFixed(2),
    (bytes / rows).toFixed(1),
  ]);
  return formatTable([['on disk', 'GB', 'bytes/row'], ...lines]);
}

const formatTimings = (heading: string, timings: readonly Timing[]) =>
  formatTable([
    [heading, 'median ms', 'p95 ms', 'runs'],
    ...timings.map(({ name, medianMs, p95Ms, runs }) => [
      name,
      medianMs.toFixed(1),
      p95Ms.toFixed(1),
      String(runs),
    ]),
  ]);

interface Measured {
  readonly lists: readonly Timing[];
  readonly searches: readonly Timing[];
  readonly figures: readonly Timing[];
}

/** Returns no goals if there are fewer rows than the goals require. */
function judge({ store, rows }: Options, { lists, searches, figures }: Measured): Goal[] {
  const wanted = goals[store];
  if (rows < wanted.rows) return [];
  const each = (timings: readonly Timing[], most: number) =>
    timings.flatMap(({ name, p95Ms }) => atMost(`p95 of ${name}, ms`, p95Ms, most));
  return [
    ...each(lists, wanted.list),
    ...each(searches, wanted.search),
    ...each(
      figures.filter(({ name }) => name === allAtOnce),
      wanted.analytics,
    ),
  ];
}
