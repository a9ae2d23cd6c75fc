import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pg from 'pg';
import { startEmbeddedServer } from '#db/embedded-server/start-embedded-server.ts';
import { migrate } from '#db/migrate.ts';
import { createPool } from '#db/pool.ts';
import { longestReadMs } from '#gateway/snapshot/mirror.ts';
import { createSnapshot } from '#gateway/snapshot/snapshot.ts';
import { mirroredTables } from '#gateway/snapshot/tables/all-tables.ts';
import { createLogger } from '#platform/logger.ts';
import { fillTenants } from '#test/database/tenants-at-bounds.ts';
import { type LoopFigures, watchLoop } from '#test/processes/loop-watch.ts';
import type { ProofResult } from './proof.ts';

const tenants = Number(process.env.SLUICE_PROOF_TENANTS ?? 200);
const loadMaxMs = 180_000;
const heapMaxMiB = 3_000;
const log = createLogger('warn');

interface Figures {
  readonly rows: number;
  readonly databaseMiB: number;
  readonly loads: readonly LoopFigures[];
  readonly heapMiB: number;
  readonly residentMiB: number;
}

export async function proveBounds(): Promise<ProofResult> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-proof-'));
  const server = await startEmbeddedServer({ dataDir, maxConnections: 20, log });
  try {
    await migrate(server.connectionString, log);
    const figures = await measure(server.connectionString);
    return {
      title: 'a worker starts when every tenant stores as much as its bounds allow',
      holds:
        figures.heapMiB <= heapMaxMiB && figures.loads.every(({ durationMs }) => durationMs <= loadMaxMs),
      text: describe(figures),
    };
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measure(connectionString: string): Promise<Figures> {
  await using cleanup = new AsyncDisposableStack();
  const admin = new pg.Pool({ connectionString, max: 1 });
  admin.on('error', () => undefined);
  cleanup.defer(() => admin.end());
  await fillTenants(admin, tenants);
  await admin.query('ANALYZE');
  const pool = createPool(connectionString, 2, 'sluice-snapshot', {
    connectMs: 2_000,
    statementMs: longestReadMs,
  });
  cleanup.defer(() => pool.end());

  const beforeMiB = readHeapMiB();
  const snapshot = createSnapshot(pool, () => null);
  const first = await watchLoop(() => snapshot.load());
  const residentMiB = process.memoryUsage().rss / 1024 ** 2;
  const heapMiB = readHeapMiB() - beforeMiB;
  const second = await watchLoop(() => snapshot.load());
  // safe because the snapshot has a collection with each of these names
  const names = Object.keys(mirroredTables) as (keyof typeof mirroredTables)[];
  const rows = names.reduce((sum, name) => sum + snapshot[name].size, 0);
  const { rows: sizes } = await admin.query<{ mib: number }>(
    'SELECT pg_database_size(current_database())::float8 / 1024 / 1024 AS mib',
  );
  return { rows, databaseMiB: sizes[0]?.mib ?? 0, loads: [first, second], heapMiB, residentMiB };
}

function readHeapMiB(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  return process.memoryUsage().heapUsed / 1024 ** 2;
}

function describe({ rows, databaseMiB, loads, heapMiB, residentMiB }: Figures): string {
  const table = loads.map(
    ({ durationMs, heldMs, collectingMs }, index) =>
      `| ${index === 0 ? 'at start' : 'again'} | ${(durationMs / 1_000).toFixed(1)} s | ${heldMs.toFixed(0)} ms | ${collectingMs.toFixed(0)} ms |`,
  );
  return `${tenants} tenants of 5 active users each reach every bound on rows and bytes of the mirrored tables (\`stored_bounds\`):
${rows.toLocaleString('en-US')} mirrored rows in a database of ${databaseMiB.toFixed(0)} MiB. One process loads the snapshot, like each worker at its start and then every minute.

| load | duration | longest block of the event loop | longest block including garbage collection |
|---|---|---|---|
${table.join('\n')}

The snapshot takes ${heapMiB.toFixed(0)} MiB of heap; after the first load the process has ${residentMiB.toFixed(0)} MiB resident. Limits of this proof: ${loadMaxMs / 1_000} s and ${heapMaxMiB} MiB.`;
}
