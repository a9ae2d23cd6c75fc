import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createClusterDatabase } from '#test/database/cluster-database.ts';
import { startTestCluster } from '#test/database/database-cluster.ts';
import { type CallKind, type CallRecord, runLoad } from '#test/load/load.ts';
import { createSluice, type SluiceProcess } from '#test/processes/sluice-process.ts';
import { type Nginx, startNginx } from '../processes/nginx.ts';

export interface LoadFigures {
  requests: number;
  streams: number;
  /** Calls with another status than 200 or with an incomplete response. */
  failed: CallRecord[];
  /** Number of calls with a 200 whose row is missing, duplicate, or not a success. */
  lost: number;
  doubled: number;
  unsuccessful: number;
}

export interface TwoNodesOptions {
  readonly nginxProgram: string;
  /** nginx configuration. Defaults to `repeats nothing`. */
  readonly nginxConfig?: Parameters<typeof startNginx>[2];
  readonly env: Record<string, string>;
  /**
   * Folder of the version that both nodes start with. Defaults to this version. Another version gets an empty
   * database.
   */
  readonly folder?: string;
}

export interface TwoNodes {
  readonly nodes: readonly [SluiceProcess, SluiceProcess];
  readonly pool: Awaited<ReturnType<typeof createClusterDatabase>>['pool'];
  /**
   * Removes the node from nginx's list, stops it, starts it (from `folder`), and adds it once ready. Resolves with
   * the milliseconds of the stop.
   */
  restart(node: SluiceProcess, folder?: string): Promise<number>;
  /** Stops and starts a node without notifying nginx. Resolves with the milliseconds of the stop. */
  restartPlainly(node: SluiceProcess): Promise<number>;
  route(nodes: readonly SluiceProcess[]): Promise<void>;
  /** Resolves when callers have received `count` more responses. */
  awaitAnswers(count: number): Promise<number>;
}

/** The slow kind streams for seconds, so that each stop interrupts some streams. */
const kinds: readonly CallKind[] = [
  { model: 'sandbox-normal' },
  { model: 'sandbox-normal', stream: true },
  { model: 'sandbox-slow', stream: true },
];
const shippedWithinMs = 30_000;
const loadName = 'rolling';

export async function loadTwoNodes(
  options: TwoNodesOptions,
  meanwhile: (pair: TwoNodes) => Promise<void>,
): Promise<LoadFigures> {
  await using cleanup = new AsyncDisposableStack();
  const cluster = await startTestCluster('product');
  cleanup.defer(() => cluster.stop());
  const database = await createClusterDatabase(
    cluster.url,
    options.folder === undefined ? cluster.template : 'template1',
  );
  cleanup.defer(() => database.close());
  const nodes = await startNodes(database.connectionString, options, cleanup);
  const nginx = await startNginx(options.nginxProgram, nodes.map(portOf), options.nginxConfig);
  cleanup.defer(() => nginx.stop());
  const ending = new AbortController();
  let answers = 0;
  const load = runLoad({
    origin: nginx.origin,
    apiKey: nodes.map(({ apiKey }) => apiKey).find((key) => key !== '') ?? '',
    kinds,
    concurrency: 12,
    pauseMs: 50,
    count: Number.POSITIVE_INFINITY,
    signal: ending.signal,
    onAnswer: () => {
      answers += 1;
    },
    name: loadName,
  });
  await meanwhile({
    nodes,
    pool: database.pool,
    restart: (node, folder) => restart(node, nodes, nginx, folder),
    restartPlainly: (node) => stopAndStart(node),
    route: (to) => nginx.route(to.map(portOf)),
    async awaitAnswers(count) {
      const before = answers;
      while (answers < before + count) await pause(50);
      return answers - before;
    },
  });
  ending.abort();
  const calls = await load;
  return countUp(calls, await readRows(database.pool, calls.filter(({ status }) => status === 200).length));
}

function countUp(calls: readonly CallRecord[], rows: readonly Row[]): LoadFigures {
  const ids = new Set(rows.map(({ id }) => id));
  return {
    requests: calls.length,
    streams: calls.filter(({ kind }) => kind.stream).length,
    failed: calls.filter(({ status, isWhole }) => status !== 200 || !isWhole),
    lost: calls.filter(({ id, status }) => status === 200 && (id === null || !ids.has(id))).length,
    doubled: rows.length - new Set(rows.map((row) => row.client_request_id)).size,
    unsuccessful: rows.filter(({ status }) => status !== 'success').length,
  };
}

async function startNodes(
  databaseUrl: string,
  { env, folder }: TwoNodesOptions,
  cleanup: AsyncDisposableStack,
): Promise<readonly [SluiceProcess, SluiceProcess]> {
  const all = {
    DATABASE_URL: databaseUrl,
    SLUICE_SECRET: randomBytes(32).toString('base64url'),
    SLUICE_WORKERS: '1',
    SLUICE_TRUSTED_PROXIES: '127.0.0.1',
    LOG_LEVEL: 'silent',
    ...env,
  };
  const nodes = [await createSluice(all), await createSluice(all)] as const;
  for (const node of nodes) {
    cleanup.defer(() => node.remove());
    await node.start(folder);
  }
  return nodes;
}

const portOf = ({ origin }: SluiceProcess) => Number(new URL(origin).port);

async function restart(
  node: SluiceProcess,
  nodes: readonly SluiceProcess[],
  nginx: Nginx,
  folder: string | undefined,
): Promise<number> {
  await nginx.route(nodes.filter((other) => other !== node).map(portOf));
  const stopMs = await stopAndStart(node, folder);
  while (!(await fetch(`${node.origin}/readyz`)).ok) await pause(50);
  await nginx.route(nodes.map(portOf));
  return stopMs;
}

async function stopAndStart(node: SluiceProcess, folder?: string): Promise<number> {
  const stoppedAtMs = performance.now();
  node.signal('SIGTERM');
  const code = await node.exited;
  if (code !== 0) throw new Error(`a node exited with ${code}`);
  const stopMs = performance.now() - stoppedAtMs;
  await node.start(folder);
  return stopMs;
}

interface Row {
  id: string;
  client_request_id: string;
  status: string;
}

/** Resolves with the rows once there are as many rows as responses, or when the time for shipping is over. */
async function readRows(
  pool: { query(text: string, values: unknown[]): Promise<{ rows: Row[] }> },
  expected: number,
): Promise<Row[]> {
  for (const endsAtMs = performance.now() + shippedWithinMs; ; await pause(200)) {
    const { rows } = await pool.query(
      'SELECT id, client_request_id, status FROM request_logs WHERE client_request_id LIKE $1',
      [`${loadName}-%`],
    );
    if (rows.length >= expected || performance.now() > endsAtMs) return rows;
  }
}
