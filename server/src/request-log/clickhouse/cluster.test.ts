import { expect, it } from 'vitest';
import { createSystemDatabase } from '#db/system.ts';
import { describeWithClickhouse, startChdb } from '#test/clickhouse/start-chdb.ts';
import { createTestDatabase } from '#test/database/database.ts';
import { openClickhouseRequestLog, prepareClickhouse } from './clickhouse-request-log.ts';
import { type ClickhouseConnection, connect } from './connection.ts';
import { indexStatements } from './log-indexes.ts';
import { textIndex } from './log-tables.ts';
import { floorOf, toUuid } from './row-id.ts';
import { selectExisting, settleInserts } from './settle-inserts.ts';
import { createStatements, createTables } from './tables.ts';
import { TenantReader } from './tenant-reader.ts';

const dayMs = 86_400_000;
const { signal } = new AbortController();

const rows = [0, 1, 2].flatMap((day) =>
  [1, 2].map((tenantId) => ({
    tenant_id: tenantId,
    id: String(floorOf(Date.UTC(2026, 10, 20) + day * dayMs) + BigInt(tenantId)),
    received_at: '2026-11-20 00:00:00',
    user_id: tenantId,
    prompt_privacy: 'full',
  })),
);

async function startCluster() {
  const engine = await startChdb({ cluster: 'eu-1' });
  await prepareClickhouse(engine.url);
  const connection = connect(engine.url);
  const close = async () => {
    await connection.close();
    await engine.close();
  };
  return { engine, connection, close };
}

function recordStatements(): { connection: ClickhouseConnection; statements: string[] } {
  const statements: string[] = [];
  const connection = connect('http://o%27neil:secret@127.0.0.1:1/logs?cluster=eu-1');
  const run = async (statement: string) => {
    statements.push(statement);
  };
  return { connection: { ...connection, run, read: async () => [] }, statements };
}

describeWithClickhouse('the request log on a cluster', () => {
  it('tables are replicated on each shard behind a distributed table', async () => {
    const engine = await startChdb({ cluster: 'eu-1', isReplicated: true });
    await prepareClickhouse(engine.url);
    await prepareClickhouse(engine.url);
    const connection = connect(engine.url);
    expect(
      await connection.read(
        'SELECT table, zookeeper_path AS path, replica_name AS replica FROM system.replicas',
      ),
    ).toEqual([
      {
        table: 'request_logs_local',
        path: '/clickhouse/tables/1/default/request_logs_local',
        replica: '1',
      },
    ]);
    const tables = await connection.read<{ engine: string }>(
      `SELECT name, partition_key, sorting_key, engine_full AS engine FROM system.tables WHERE name LIKE 'request_logs%' ORDER BY name`,
    );
    expect(tables).toMatchObject([
      {
        name: 'request_logs',
        engine:
          "Distributed('eu-1', 'default', 'request_logs_local', cityHash64(tenant_id, intDiv(toInt64(bitShiftRight(id, 80)), 86400000)))",
      },
      {
        name: 'request_logs_local',
        partition_key: "toDate(fromUnixTimestamp64Milli(toInt64(bitShiftRight(id, 80)), 'UTC'))",
        sorting_key: 'tenant_id, id',
      },
    ]);
    await connection.close();
    await engine.close();
  });

  it('the tenant condition applies to the tables of the shards under any of their names', async () => {
    const { connection, close } = await startCluster();
    await connection.insert('request_logs', rows, { token: 'a' });
    const ofTenant = new TenantReader(connection, 1);
    const sources = [
      'request_logs',
      'default.request_logs',
      'request_logs AS renamed',
      'request_logs_local',
      'default.request_logs_local',
      "cluster('eu-1', default, request_logs_local)",
      "clusterAllReplicas('eu-1', default, request_logs)",
      '(SELECT * FROM request_logs)',
    ];
    for (const source of sources) {
      const query = `SELECT tenant_id AS tenant, count() AS count FROM ${source} GROUP BY tenant`;
      expect(await ofTenant.read(query), source).toEqual([{ tenant: 1, count: '3' }]);
    }
    await close();
  });

  it('inserting a block twice adds its rows once, and the rows are found on all replicas', async () => {
    const { connection, close } = await startCluster();
    for (const token of ['a', 'a', 'b', 'a']) await connection.insert('request_logs', rows, { token });
    expect(await connection.read('SELECT count() AS count FROM request_logs')).toEqual([{ count: '12' }]);
    await settleInserts(connection, 'run/');
    const ids = rows.map(({ id }) => toUuid(id));
    const missing = toUuid(floorOf(Date.UTC(2026, 10, 21)));
    const found = await selectExisting(connection, [missing, ...ids.slice(1, 4)]);
    expect(found.toSorted()).toEqual(ids.slice(1, 4));
    expect(await selectExisting(connection, ids, [2])).toHaveLength(3);
    await close();
  });

  it('rows of a user and expired days are deleted on all servers', async () => {
    const { connection, engine, close } = await startCluster();
    const database = await createTestDatabase();
    const log = openClickhouseRequestLog(engine.url);
    await connection.insert('request_logs', rows, { token: 'a' });
    const system = createSystemDatabase(database.pool);
    expect(await log.deleteOfUser(system, { tenantId: 2, userId: 2 }, signal)).toBe(3);
    const kept = [{ tenantId: 1, retentionDays: 2, bodyRetentionDays: 1 }];
    expect(await log.deleteExpired(system, kept, Date.UTC(2026, 10, 23), signal)).toEqual({
      partitions: 2,
      rows: 0,
    });
    expect(
      await connection.read(
        'SELECT tenant_id AS tenant, prompt_privacy AS privacy FROM request_logs ORDER BY id',
      ),
    ).toEqual([
      { tenant: 1, privacy: null },
      { tenant: 1, privacy: 'full' },
    ]);
    await log.close();
    await close();
    await database.close();
  });

  it('createTables rejects a single-server table for a cluster, and a cluster table for a single server', async () => {
    const { connection, engine, close } = await startCluster();
    const single = connect(engine.url.replace(/\?.*/, ''));
    await expect(createTables(single)).rejects.toThrow('names no cluster');
    await connection.run('DROP TABLE request_logs');
    await connection.run('DROP TABLE request_logs_local');
    await createTables(single);
    await expect(createTables(connection)).rejects.toThrow(
      'default.request_logs in ClickHouse has the engine MergeTree, but SLUICE_LOG_STORE names the cluster eu-1',
    );
    await single.close();
    await close();
  });

  it('ClickHouse parses each statement for a cluster, which contains ON CLUSTER', async () => {
    const { connection, statements } = recordStatements();
    await settleInserts(connection, 'run/');
    statements.push(
      ...createStatements(connection.tables, true),
      ...indexStatements(connection.tables, ['cost', textIndex]),
    );
    const engine = await startChdb();
    const parser = connect(engine.url);
    for (const statement of statements) {
      const [parsed] = await parser.read<{ text: string }>('SELECT formatQuery({statement:String}) AS text', {
        params: { statement },
      });
      expect(parsed?.text).toContain('ON CLUSTER `eu-1`');
    }
    expect(statements[0]).toContain("initial_user = 'o\\'neil' AND startsWith(initial_query_id, 'run/')");
    await parser.close();
    await engine.close();
  });
});

it('a single server has one table for reads and writes', () => {
  const { tables } = connect('http://127.0.0.1:1/logs');
  expect(createStatements(tables, true).map((statement) => statement.split('(')[0])).toEqual([
    'CREATE TABLE IF NOT EXISTS request_logs ',
  ]);
  expect(tables).toMatchObject({ stored: 'request_logs', onCluster: '', database: 'logs' });
});
