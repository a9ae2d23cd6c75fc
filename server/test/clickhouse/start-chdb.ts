import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';

const program = join(import.meta.dirname, 'chdb-server.py');

function findProblem(): string | null {
  const { error, status } = spawnSync('python3', ['-c', 'from chdb import session'], { stdio: 'ignore' });
  if (error) return 'python3 is not installed';
  return status === 0
    ? null
    : 'the Python package chdb-core is not installed (pip install --no-deps --target DIR chdb-core; PYTHONPATH=DIR)';
}

/** Reason why the ClickHouse engine cannot run on this machine; `null` if it can. */
export const clickhouseProblem = findProblem();
if (clickhouseProblem) console.info(`Tests with ClickHouse are skipped: ${clickhouseProblem}.`);

/** Without the engine, the tests are skipped with a printed reason. */
export const describeWithClickhouse = describe.skipIf(clickhouseProblem !== null);

export interface Chdb {
  readonly url: string;
  readonly pid: number;
  kill(): Promise<void>;
  /** Keeps the data and the URL. */
  restart(): Promise<void>;
  /** Stops the process and deletes the data, unless they are kept. */
  close(): Promise<void>;
}

/** Options of the engine. A cluster has one shard in the engine's process. */
export interface ChdbOptions {
  /** Name of the cluster; no cluster by default. */
  readonly cluster?: string;
  /** Whether tables are replicated. Replicated tables can be created but not written to. */
  readonly isReplicated?: boolean;
  /** Data folder that is kept after the tests. Defaults to a temporary folder. */
  readonly dataDir?: string;
}

/**
 * Engine options for tests of the request log. With `SLUICE_TEST_CLICKHOUSE_CLUSTER=1`, the engine is a cluster
 * instead of a single server.
 */
export const testedStore: ChdbOptions =
  process.env.SLUICE_TEST_CLICKHOUSE_CLUSTER === '1' ? { cluster: 'sluice' } : {};

export async function startChdb({ cluster, isReplicated = false, dataDir }: ChdbOptions = {}): Promise<Chdb> {
  const folder = await mkdtemp(join(tmpdir(), 'chdb-'));
  const configFile = join(folder, 'cluster.xml');
  if (cluster !== undefined) await writeFile(configFile, clusterConfig(cluster));
  const variables = {
    ...(cluster !== undefined && { CHDB_CONFIG: configFile }),
    ...(isReplicated && { CHDB_REPLICATED: '1' }),
  };
  let child: ChildProcess;
  let port = 0;
  const start = async () => {
    child = spawn('python3', [program, dataDir ?? join(folder, 'data'), String(port)], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, ...variables },
    });
    // The engine exits when the test process closes the engine's input. It does not keep the test process running.
    child.unref();
    const { stdout } = child;
    if (!stdout) throw new Error('the engine has no output');
    const [line] = await Promise.race([
      once(stdout, 'data'),
      once(child, 'exit').then(([code]) => {
        throw new Error(`the engine exited with ${code}`);
      }),
    ]);
    port = Number(line);
  };
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  await start();
  return {
    url: `http://sluice:secret@127.0.0.1:${port}/default${cluster === undefined ? '' : `?cluster=${cluster}`}`,
    get pid() {
      return child.pid ?? 0;
    },
    kill,
    restart: start,
    async close() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** With this port, the only replica is local and needs no connection. */
const clusterConfig = (name: string) => `<clickhouse>
  <tcp_port>9000</tcp_port>
  <zookeeper><implementation>testkeeper</implementation></zookeeper>
  <macros><shard>1</shard><replica>1</replica></macros>
  <remote_servers><${name}>
    <shard>
      <internal_replication>true</internal_replication>
      <replica><host>127.0.0.1</host><port>9000</port></replica>
    </shard>
  </${name}></remote_servers>
</clickhouse>`;
