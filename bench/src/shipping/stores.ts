import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { seedLog } from '../../../server/demo/seed-log.ts';
import { seedPeople } from '../../../server/demo/seed-people.ts';
import { syncRegistry } from '../../../server/src/console/provider-registry/sync-registry.ts';
import { createSystemDatabase } from '../../../server/src/db/system.ts';
import { prepareClickhouse } from '../../../server/src/request-log/clickhouse/clickhouse-request-log.ts';
import type { MessageToShipper } from '../../../server/src/supervisor/messages.ts';
import { startChdb } from '../../../server/test/clickhouse/start-chdb.ts';
import { addTenant } from '../../../server/test/console/console.ts';
import { createClusterDatabase, type TestDatabase } from '../../../server/test/database/cluster-database.ts';

import { startTestCluster } from '../../../server/test/database/database-cluster.ts';
import { processTree } from '../programs/program.ts';

const program = join(import.meta.dirname, '../../../server/src/shipper/main.ts');
const sampleRows = 20_000;

/** Shipper with its own database. All stores share one PostgreSQL server. */
export interface Store {
  readonly name: 'postgres' | 'clickhouse';
  readonly pool: TestDatabase['pool'];
  readonly slotDir: string;
  /** Returns the total CPU microseconds by part. */
  readCpu(): ReadonlyMap<string, number>;
}

export async function openStores(resources: AsyncDisposableStack, dir: string): Promise<Store[]> {
  const cluster = await startTestCluster('product');
  resources.defer(() => cluster.stop());
  const engine = await startChdb({ dataDir: join(dir, 'engine') });
  resources.defer(() => engine.close());
  await prepareClickhouse(engine.url);
  const open = async (name: Store['name'], logStoreUrl: string | null): Promise<Store> => {
    const database = await createClusterDatabase(cluster.url, cluster.template);
    resources.defer(() => database.close());
    const { connectionString, pool } = database;
    await seed(pool);
    const slotDir = join(dir, name, 'slot-1');
    mkdirSync(slotDir, { recursive: true, mode: 0o700 });
    const shipper = await startShipper(resources, { slotDir, connectionString, logStoreUrl });
    const postmaster = await findPostmaster(pool);
    const roots = new Map([
      ['shipper', shipper],
      ['postgresql', postmaster],
      ['clickhouse', engine.pid],
    ]);
    const readCpu = () => new Map([...roots].map(([part, pid]) => [part, sumCpu(pid)]));
    return { name, pool, slotDir, readCpu };
  };
  return [await open('postgres', null), await open('clickhouse', engine.url)];
}

async function seed(pool: TestDatabase['pool']): Promise<void> {
  await syncRegistry(createSystemDatabase(pool));
  await addTenant(pool, 'Home');
  const client = await pool.connect();
  try {
    await seedPeople(client);
    await seedLog(client, { rows: sampleRows, days: 2, bodyDays: 1, nowMs: Date.now() });
  } finally {
    client.release();
  }
}

interface Shipping {
  readonly slotDir: string;
  readonly connectionString: string;
  readonly logStoreUrl: string | null;
}

/** Returns the process id. */
async function startShipper(
  resources: AsyncDisposableStack,
  { slotDir, connectionString, logStoreUrl }: Shipping,
): Promise<number> {
  const child = fork(program, { stdio: 'inherit' });
  resources.defer(() => stop(child));
  await once(child, 'message');
  const boot = {
    ...{ slotDirs: [slotDir], connectionString, directConnectionString: connectionString, logStoreUrl },
    ...{ bodyStore: null, searchedLength: 0, secret: '', formerSecrets: [], logLevel: 'warn' as const },
  };
  child.send({ type: 'start', boot } satisfies MessageToShipper);
  return child.pid ?? 0;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.disconnect();
  await once(child, 'exit');
}

async function findPostmaster(pool: TestDatabase['pool']): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const backend = processTree(process.pid).find(({ pid }) => pid === rows[0]?.pid);
  if (!backend) throw new Error('PostgreSQL is not a process of this benchmark');
  return backend.parentPid;
}

const sumCpu = (pid: number): number => processTree(pid).reduce((sum, { cpuMicros }) => sum + cpuMicros, 0);
