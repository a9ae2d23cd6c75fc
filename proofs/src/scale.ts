import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { clickhouseProblem } from '#test/clickhouse/start-chdb.ts';
import type { ProofResult, SkippedProof } from './proof.ts';

const root = join(import.meta.dirname, '../..');

interface Suite {
  readonly name: string;
  readonly files: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** Reason why the suite cannot run on this machine; `null` if it can. */
  readonly problem: string | null;
}

const logFiles = [
  'server/src/request-log/equality.test.ts',
  'server/src/request-log/across-tenants.test.ts',
  'server/src/request-log/move/move-log.test.ts',
  'server/src/request-log/clickhouse/log-indexes.test.ts',
  'server/src/shipper/clickhouse-rows.test.ts',
  'server/src/shipper/clickhouse-bodies.test.ts',
];

const suites: readonly Suite[] = [
  {
    name: 'request log in ClickHouse: equality, tenants, moves, kills',
    files: [...logFiles, 'server/src/request-log/clickhouse/cluster.test.ts'],
    variables: {},
    problem: clickhouseProblem,
  },
  {
    name: 'the same on a cluster',
    files: logFiles,
    variables: { SLUICE_TEST_CLICKHOUSE_CLUSTER: '1' },
    problem: clickhouseProblem,
  },
  {
    name: 'access of each caller to each route, with the request log in ClickHouse',
    files: ['matrix', 'foreign-ids', 'prompt-reads', 'acting-for-tenant.slow'].map(
      (name) => `server/test/access/${name}.test.ts`,
    ),
    variables: { SLUICE_TEST_LOG_STORE: 'clickhouse' },
    problem: clickhouseProblem,
  },
];

/** Runs the suites whose engines are installed, and prints the reason for each skipped suite. */
export async function proveScale(): Promise<ProofResult | SkippedProof> {
  for (const { name, problem } of suites) if (problem !== null) console.log(`Skipped: ${name}: ${problem}.`);
  const runnable = suites.filter(({ problem }) => problem === null);
  const [first] = suites;
  if (runnable.length === 0) return { skipped: first?.problem ?? 'there are no suites' };
  const results: { readonly suite: Suite; readonly isPassed: boolean }[] = [];
  for (const suite of runnable) results.push({ suite, isPassed: await run(suite) });
  return {
    title: 'stores outside of PostgreSQL keep every guarantee of the request log',
    holds: results.every(({ isPassed }) => isPassed),
    text: `| suite | files | result |
|---|---|---|
${suites.map((suite) => formatSuite(suite, results.find((result) => result.suite === suite)?.isPassed)).join('\n')}`,
  };
}

const formatSuite = ({ name, files, problem }: Suite, isPassed: boolean | undefined) =>
  `| ${name} | ${files.map((file) => `\`${file}\``).join(', ')} | ${problem ?? (isPassed ? 'passed' : 'failed')} |`;

async function run({ files, variables }: Suite): Promise<boolean> {
  const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...files], {
    cwd: root,
    env: { ...process.env, SLUICE_FULL_TESTS: '1', ...variables },
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  return code === 0;
}
