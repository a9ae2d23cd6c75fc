import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seedLog } from '../../../server/demo/seed-log.ts';
import { seedPeople } from '../../../server/demo/seed-people.ts';
import { syncRegistry } from '../../../server/src/console/provider-registry/sync-registry.ts';
import { startEmbeddedServer } from '../../../server/src/db/embedded-server/start-embedded-server.ts';
import { indexRanges } from '../../../server/src/db/log-partitions/day-indexes.ts';
import { dayOf } from '../../../server/src/db/log-partitions/day-partition.ts';
import { migrate } from '../../../server/src/db/migrate.ts';
import { createPool } from '../../../server/src/db/pool.ts';
import { createSystemDatabase } from '../../../server/src/db/system.ts';
import type { Principal } from '../../../server/src/domain/principal.ts';
import { createLogger } from '../../../server/src/platform/logger.ts';
import {
  openClickhouseRequestLog,
  prepareClickhouse,
} from '../../../server/src/request-log/clickhouse/clickhouse-request-log.ts';
import { connect } from '../../../server/src/request-log/clickhouse/connection.ts';
import { postgresRequestLog } from '../../../server/src/request-log/postgres/postgres-request-log.ts';
import type { RequestLog } from '../../../server/src/request-log/request-log.ts';
import { startChdb } from '../../../server/test/clickhouse/start-chdb.ts';
import { addPerson, addTenant } from '../../../server/test/console/console.ts';
import type { TestDatabase } from '../../../server/test/database/cluster-database.ts';
import { testServerSettings } from '../../../server/test/database/database-cluster.ts';
import { fillClickhouse, measureClickhouse } from './fill-clickhouse.ts';
import type { Options } from './options.ts';

export interface FilledLog {
  readonly pool: TestDatabase['pool'];
  readonly requestLog: RequestLog;
  readonly admin: Principal;
  /** Bytes on disk by name of the part (`texts`, `rows`). */
  measureSizes(): Promise<ReadonlyMap<string, number>>;
  /** Clears ClickHouse's query condition cache. Does nothing for PostgreSQL. */
  forgetQueries(): Promise<void>;
}

/** Starts the databases and fills them, unless the data folder is already filled. The resources stop the databases. */
export async function openFilledLog(resources: AsyncDisposableStack, options: Options): Promise<FilledLog> {
  const dir = options.dataDir ?? (await createTemporaryDir(resources));
  mkdirSync(dir, { recursive: true });
  const connectionString = await startPostgres(resources, dir, options);
  const pool = createPool(connectionString, 8, 'sluice-bench');
  resources.defer(() => pool.end());
  const url = options.store === 'clickhouse' ? await startClickhouse(resources, dir) : null;
  const marker = join(dir, 'filled.json');
  if (!existsSync(marker)) writeFileSync(marker, JSON.stringify(await fill(connectionString, url, options)));
  // safe because only the line above writes the file
  const admin = JSON.parse(readFileSync(marker, 'utf8')) as Principal;
  if (url === null)
    return {
      ...{ pool, admin, requestLog: postgresRequestLog },
      measureSizes: () => measurePostgres(pool),
      forgetQueries: async () => {},
    };
  const requestLog = openClickhouseRequestLog(url);
  const connection = connect(url);
  resources.defer(requestLog.close);
  resources.defer(connection.close);
  return {
    ...{ pool, admin, requestLog },
    measureSizes: () => measureClickhouse(url),
    forgetQueries: () => connection.run('SYSTEM DROP QUERY CONDITION CACHE'),
  };
}

async function createTemporaryDir(resources: AsyncDisposableStack): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'sluice-logs-'));
  resources.defer(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

async function startPostgres(resources: AsyncDisposableStack, dir: string, { server }: Options) {
  const running = await startEmbeddedServer({
    dataDir: dir,
    maxConnections: 50,
    settings: server === 'test' ? testServerSettings : {},
    log: createLogger('warn'),
  });
  resources.defer(() => running.stop());
  await migrate(running.connectionString, createLogger('warn'));
  return running.connectionString;
}

async function startClickhouse(resources: AsyncDisposableStack, dir: string): Promise<string> {
  const engine = await startChdb({ dataDir: join(dir, 'clickhouse') });
  resources.defer(() => engine.close());
  await prepareClickhouse(engine.url);
  return engine.url;
}

/** A statement over all rows takes longer than the product allows. */
const fillStatementMs = 3_600_000;

async function fill(connectionString: string, url: string | null, options: Options): Promise<Principal> {
  await using cleanup = new AsyncDisposableStack();
  const pool = createPool(connectionString, 4, 'sluice-bench-fill', { statementMs: fillStatementMs });
  cleanup.defer(() => pool.end());
  await syncRegistry(createSystemDatabase(pool));
  const tenantId = await addTenant(pool, 'Home');
  const [client, other] = [await pool.connect(), await pool.connect()];
  const nowMs = Date.now();
  const beganAtMs = performance.now();
  try {
    await seedPeople(client);
    if (url !== null) await fillClickhouse(url, client, { ...options, nowMs });
    else await seedLog(client, { ...options, hasRareWords: true, nowMs, others: [other] });
    const seconds = (performance.now() - beganAtMs) / 1000;
    console.log(`${options.rows} rows generated in ${seconds.toFixed(0)} s`);
    // Filling a table neither vacuums its pages nor updates the visibility map. In production, autovacuum does both.
    await client.query('VACUUM ANALYZE');
    // Builds the same indexes as the hourly job.
    if (url === null) await indexRanges(client, dayOf(nowMs));
  } finally {
    other.release();
    client.release();
  }
  return await addPerson(pool, tenantId, 'admin', 'admin@home.test');
}

const sizes = `SELECT sum(pg_total_relation_size(c.oid)) AS bytes,
    CASE WHEN relname LIKE 'request_log_%' THEN 'texts' ELSE 'rows' END AS part
  FROM pg_class c WHERE relkind = 'r' AND relname LIKE 'request_log%' GROUP BY 2 ORDER BY 2`;

async function measurePostgres(pool: TestDatabase['pool']): Promise<ReadonlyMap<string, number>> {
  const { rows } = await pool.query<{ part: string; bytes: string }>(sizes);
  const parts = new Map(rows.map(({ part, bytes }) => [part, Number(bytes)]));
  return parts.set(
    'all with indexes',
    [...parts.values()].reduce((sum, bytes) => sum + bytes, 0),
  );
}
