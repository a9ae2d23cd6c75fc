import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createSystemDatabase } from '../../../server/src/db/system.ts';
import { recordHold } from '../../../server/src/gateway/request-log/assemble-record.ts';
import type { RequestRecord } from '../../../server/src/gateway/request-log/request-record.ts';
import { postEntries } from '../../../server/src/ledger/post.ts';
import { createLogger } from '../../../server/src/platform/logger.ts';
import { createShipRequests } from '../../../server/src/shipper/ship-requests.ts';
import { addTenant } from '../../../server/test/console/console.ts';
import { createClusterDatabase, type TestDatabase } from '../../../server/test/database/cluster-database.ts';
import { startTestCluster } from '../../../server/test/database/database-cluster.ts';
import {
  createLeaseNodes,
  type LeaseNode,
  type Payers,
  request,
} from '../../../server/test/load/lease-nodes.ts';
import { createRecord } from '../../../server/test/requests/request-record.ts';
import { processTree } from '../programs/program.ts';
import { formatTable, publish } from '../report/document.ts';
import { percentile } from '../report/statistics.ts';

/**
 * Number of workers per node. Each worker is a process with its own leases. Four workers share one shipper, as on a
 * node with four CPUs.
 */
const workersPerNode = 4;
const tickMs = 20;
const shipMs = 250;
const price = 600_000;
const amounts = { credits: price, requests_per_hour: 1, tokens_per_day: 600, tokens_per_month: 600 };
const connections = 120;

/**
 * Measures lease statements and bookings of many nodes on one PostgreSQL server with production settings. Requests
 * and HTTP are omitted, so that one machine can simulate all nodes.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      nodes: { type: 'string', default: '50' },
      rates: { type: 'string', default: '1000,2000,4000,8000' },
      seconds: { type: 'string', default: '15' },
      quick: { type: 'boolean', default: false },
    },
  });
  const nodes = Number(values.nodes);
  const cluster = await startTestCluster('product');
  try {
    const rows: string[][] = [];
    for (const tenants of [200, 1]) {
      const database = await createClusterDatabase(cluster.url, cluster.template);
      try {
        const payers = await addPayers(database, tenants);
        for (const rate of values.rates.split(',').map(Number)) {
          const step = { database, payers, nodes, rate, seconds: Number(values.seconds) };
          rows.push([tenants === 1 ? 'one tenant' : `${tenants} tenants`, ...(await measure(step))]);
          console.log(rows.at(-1)?.join('  '));
        }
      } finally {
        await database.close();
      }
    }
    const header = [`${nodes} nodes`, 'due/s', 'admitted/s', 'booked/s', 'waited %', 'wait p50 ms', 'p99 ms'];
    const more = ['rejected', 'lease statements/s', 'PostgreSQL % of a core', 'us/request'];
    publish('leases', args, { goals: [], tables: [formatTable([[...header, ...more], ...rows])] });
  } finally {
    await cluster.stop();
  }
}

interface Step {
  readonly database: TestDatabase;
  readonly payers: readonly Payers[];
  readonly nodes: number;
  /** Requests per second over all nodes. */
  readonly rate: number;
  readonly seconds: number;
}

interface Worker {
  readonly node: LeaseNode;
  readonly ended: RequestRecord[];
}

async function measure({ database, payers, nodes, rate, seconds }: Step): Promise<string[]> {
  const leaseNodes = await createLeaseNodes({ database, connections });
  const [payer] = payers;
  if (!payer) throw new Error('no payer was added');
  const workers = await Promise.all(
    Array.from({ length: nodes * workersPerNode }, async (): Promise<Worker> => {
      return { node: await leaseNodes.add(payer), ended: [] };
    }),
  );
  const server = await findServer(database);
  const load = { payers, workers, waitsMs: [] as number[], admitted: 0, rejected: 0 };
  const shipping = new AbortController();
  // The warm-up lasts some seconds, in which leases are opened and slice sizes adapt.
  await offer(load, rate, 5);
  const before = { cpuMicros: readCpu(server), statements: countStatements(workers) };
  Object.assign(load, { waitsMs: [], admitted: 0, rejected: 0 });
  const shipped = shipAll(database, workers, shipping.signal);
  const startedMs = performance.now();
  await offer(load, rate, seconds);
  const spent = (performance.now() - startedMs) / 1000;
  const cpuMicros = readCpu(server) - before.cpuMicros;
  const statements = countStatements(workers) - before.statements;
  shipping.abort();
  const booked = (await shipped) / spent;
  const { admitted, rejected, waitsMs } = load;
  await leaseNodes.close();
  return [
    rate.toFixed(0),
    (admitted / spent).toFixed(0),
    booked.toFixed(0),
    ((100 * waitsMs.length) / Math.max(1, admitted)).toFixed(2),
    ...[0.5, 0.99].map((share) => percentile(waitsMs, share).toFixed(1)),
    String(rejected),
    (statements / spent).toFixed(0),
    (cpuMicros / spent / 10_000).toFixed(0),
    (cpuMicros / Math.max(1, booked * spent)).toFixed(0),
  ];
}

interface Load {
  readonly payers: readonly Payers[];
  readonly workers: readonly Worker[];
  /** Wait times in milliseconds of the requests that waited for a statement. */
  waitsMs: number[];
  admitted: number;
  rejected: number;
}

async function offer(load: Load, rate: number, seconds: number): Promise<void> {
  const startedMs = performance.now();
  const pending = new Set<Promise<void>>();
  for (let sent = 0; performance.now() - startedMs < seconds * 1000; ) {
    const due = (rate * (performance.now() - startedMs)) / 1000;
    for (; sent < due; sent++) {
      const waiting = admit(load, sent);
      if (!waiting) continue;
      const ended = waiting.finally(() => pending.delete(ended));
      pending.add(ended);
    }
    await delay(tickMs);
  }
  await Promise.all(pending);
}

/** Returns a promise only if the request waits. */
function admit(load: Load, index: number): Promise<void> | undefined {
  const { payers, workers } = load;
  // 7 and 13 share no divisor with the numbers of workers and payers, so that every worker receives requests of every
  // user.
  const worker = workers[(index * 7) % workers.length];
  const payer = payers[(index * 13 + Math.floor(index / payers.length)) % payers.length];
  if (!worker || !payer) throw new Error('no worker or payer was added');
  const end = (hold: Awaited<ReturnType<LeaseNode['book']['admit']>>) => {
    load.admitted++;
    const used = hold.parts.map(({ amount }) => amount);
    worker.ended.push(createRow(payer, recordHold(hold, 0, used)));
    worker.node.book.settle(hold, used);
  };
  const startedMs = performance.now();
  try {
    const hold = worker.node.book.admit(...request(amounts, payer));
    if (!(hold instanceof Promise)) return end(hold) as undefined;
    return hold.then(
      (held) => {
        load.waitsMs.push(performance.now() - startedMs);
        end(held);
      },
      () => {
        load.rejected++;
      },
    );
  } catch {
    load.rejected++;
  }
  return undefined;
}

function createRow({ tenantId, userId }: Payers, hold: RequestRecord['hold']): RequestRecord {
  return createRecord({
    ...{ tenantId, userId, status: 'success', httpStatus: 200, attempts: 1, isSent: true },
    ...{ llmProviderId: 1, providerKey: 'custom', model: 'm', isServiceManaged: true },
    ...{ costNanoUsd: String(price), hold },
  });
}

/**
 * Ships finished requests of each node's workers until the signal aborts, and then the remaining ones. Returns the
 * number of rows shipped before the abort.
 */
async function shipAll(
  database: TestDatabase,
  workers: readonly Worker[],
  signal: AbortSignal,
): Promise<number> {
  const { pool } = database;
  let rows = 0;
  const nodes = Array.from({ length: workers.length / workersPerNode }, (_, node) =>
    workers.slice(node * workersPerNode, (node + 1) * workersPerNode),
  );
  await Promise.all(
    nodes.map(async (ofNode, nodeSlot) => {
      const ship = createShipRequests({ pool, nodeSlot, log: createLogger('error') });
      await delay((shipMs * nodeSlot) / nodes.length);
      while (!signal.aborted) {
        const batch = ofNode.flatMap(({ ended }) => ended.splice(0));
        for (let from = 0; from < batch.length; from += 300) await ship(batch.slice(from, from + 300));
        if (!signal.aborted) rows += batch.length;
        await delay(shipMs);
      }
    }),
  );
  return rows;
}

const countStatements = (workers: readonly Worker[]): number =>
  workers.reduce((sum, { node }) => sum + node.statements, 0);

async function findServer({ pool }: TestDatabase): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const backend = processTree(process.pid).find(({ pid }) => pid === rows[0]?.pid);
  if (!backend) throw new Error('the server is not a child of this process');
  return backend.parentPid;
}

const readCpu = (server: number): number =>
  processTree(server).reduce((sum, { cpuMicros }) => sum + cpuMicros, 0);

async function addPayers(database: TestDatabase, tenants: number): Promise<Payers[]> {
  const { pool } = database;
  const payers: Payers[] = [];
  for (let index = 0; index < tenants; index++) {
    const name = `Tenant ${index}`;
    const tenantId = await addTenant(pool, name);
    const recharge = { tenantId, kind: 'recharge', amount: 1_000_000_000_000_000n, source: name } as const;
    await createSystemDatabase(pool).transaction((tx) =>
      postEntries(tx, [{ ...recharge, description: name, actorId: null }]),
    );
    const { rows } = await pool.query<{ id: number }>(
      `INSERT INTO users (tenant_id, role_id, email, name, password_hash, requests_per_hour, daily_quota, monthly_quota)
       SELECT $1, roles.id, 'user-' || n || '@' || $3 || '.test', 'User', 'x', 1000000, 1000000000, 2000000000
       FROM roles, generate_series(1, $2) n WHERE roles.name = 'user' RETURNING id`,
      [tenantId, 2_000 / tenants, `tenant-${index}`],
    );
    payers.push(...rows.map(({ id }) => ({ tenantId, userId: id })));
  }
  return payers;
}
