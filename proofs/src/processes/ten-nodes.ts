import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { installationLocks } from '#db/installation-locks.ts';
import { databaseUrl, dropDatabase, onCluster } from '#test/database/database-cluster.ts';
import { createSluice, type SluiceProcess } from '#test/processes/sluice-process.ts';

export interface StartsFigures {
  readonly nodes: number;
  /** Number of migrations before the node was killed; `null` if no node was killed. */
  readonly killedAfter: number | null;
  /** Output of the nodes that did not become ready. For the killed node, the output of its second start. */
  readonly failed: readonly string[];
  /** Migrations without exactly one row, and rows without a migration. */
  readonly strayMigrations: readonly string[];
  readonly administrators: number;
  /** Number of deadlocks since the creation of the database. */
  readonly deadlocks: number;
  readonly tookMs: number;
}

export interface StartsOptions {
  readonly clusterUrl: string;
  readonly nodeCount: number;
  /** Database template for the nodes. Defaults to an empty database. */
  readonly template?: string;
  readonly secret: string;
  /** Whether the migrating node is killed during the migration and restarted once the others are ready. */
  readonly kills: boolean;
}

export const newSecret = () => randomBytes(32).toString('base64url');
const nodeName = (place: number) => `node-${place}`;
let rounds = 0;

export async function startTogether(options: StartsOptions): Promise<StartsFigures> {
  const { clusterUrl, kills, nodeCount, template = 'template0' } = options;
  const database = `sluice_starts_${process.pid}_${rounds++}`;
  await onCluster(clusterUrl, `CREATE DATABASE ${database} TEMPLATE ${template}`);
  const url = databaseUrl(clusterUrl, database);
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const nodes: SluiceProcess[] = [];
  try {
    for (let place = 0; place < nodeCount; place++) nodes.push(await createNode(url, place, options.secret));
    const startedMs = performance.now();
    const starts = nodes.map((node) => node.start().then(() => null, String));
    const killed = kills ? await killMigrating(pool, nodes) : null;
    const said = await Promise.all(starts);
    if (killed) said[killed.place] = await killed.node.start().then(() => null, String);
    const tookMs = performance.now() - startedMs;
    const failed = said.filter((text) => text !== null);
    return {
      nodes: nodeCount,
      killedAfter: killed?.migrations ?? null,
      failed,
      tookMs,
      ...(await readState(pool)),
    };
  } finally {
    await Promise.all(nodes.map((node) => node.remove()));
    await pool.end();
    await dropDatabase(clusterUrl, database);
  }
}

/** The node's application name shows whether it is migrating. */
function createNode(url: string, place: number, secret: string): Promise<SluiceProcess> {
  const own = new URL(url);
  own.searchParams.set('application_name', nodeName(place));
  return createSluice({
    DATABASE_URL: own.href,
    SLUICE_SECRET: secret,
    SLUICE_WORKERS: '1',
    SLUICE_SANDBOX: '0',
    LOG_LEVEL: 'silent',
  });
}

/** Kills all processes of a node while it holds the migration lock and after it has run one migration. */
async function killMigrating(pool: pg.Pool, nodes: readonly SluiceProcess[]) {
  const before = await countMigrations(pool);
  for (;;) {
    const { rows } = await pool.query<{ name: string }>(
      `SELECT application_name AS name FROM pg_locks JOIN pg_stat_activity USING (pid)
       WHERE locktype = 'advisory' AND granted AND (classid::bigint << 32) + objid::bigint = $1`,
      [installationLocks.migration],
    );
    const place = nodes.findIndex((_, number) => nodeName(number) === rows[0]?.name);
    const node = nodes[place];
    const migrations = (await countMigrations(pool)) - before;
    if (node && migrations > 0) {
      for (const pid of node.pids('everything')) process.kill(pid, 'SIGKILL');
      await node.exited;
      return { node, place, migrations };
    }
    await pause(1);
  }
}

async function countMigrations(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query(`SELECT to_regclass('schema_migrations') AS name`);
  if (rows[0].name === null) return 0;
  return (await pool.query('SELECT FROM schema_migrations')).rowCount ?? 0;
}

async function readState(pool: pg.Pool) {
  const files = readdirSync(join(import.meta.dirname, '../../../server/src/db/migrations'));
  const expected = files.filter((name) => name.endsWith('.sql'));
  const { rows: applied } = await pool.query<{ name: string }>('SELECT name FROM schema_migrations');
  const names = new Set(applied.map(({ name }) => name));
  const { rows } = await pool.query<{ administrators: number; deadlocks: number }>(
    `SELECT (SELECT count(*)::integer FROM users) AS administrators,
       (SELECT deadlocks::integer FROM pg_stat_database WHERE datname = current_database()) AS deadlocks`,
  );
  const { administrators = 0, deadlocks = 0 } = rows[0] ?? {};
  return {
    strayMigrations: [...names.symmetricDifference(new Set(expected))],
    administrators,
    deadlocks,
  };
}
