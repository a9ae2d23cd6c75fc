import { LogStoreError } from '#domain/request-log/log-store-error.ts';
import { type ClickhouseConnection, connect } from './connection.ts';
import { addIndexes, hasTextIndexes, indexesOfTable } from './log-indexes.ts';
import { type LogTables, quote } from './log-tables.ts';

/** Number of blocks per table whose insert tokens are remembered. A failed insert is repeated within minutes. */
const rememberedBlocks = 10_000;

/**
 * Granule size: the number of bytes that ClickHouse reads to return one row. With its default of 10 MB, reading 50
 * scattered rows decompresses up to 400,000 texts; with 256 KB, inserts cost 30% more CPU. Cannot be changed once the
 * table exists.
 */
const granuleBytes = 1_048_576;

/**
 * Names and types follow PostgreSQL's tables. Texts are in the same row, since ClickHouse stores columns separately.
 */
const columns = [
  'tenant_id Int32',
  'id UInt128 CODEC(ZSTD)',
  'user_id Nullable(Int32)',
  'api_key_id Nullable(Int32)',
  'task_id Nullable(Int32)',
  'team_id Nullable(Int32)',
  'labels Map(LowCardinality(String), String)',
  'llm_provider_id Nullable(Int32)',
  'provider_key LowCardinality(Nullable(String))',
  'provider_instance_name LowCardinality(Nullable(String))',
  'protocol LowCardinality(String)',
  'operation LowCardinality(String)',
  'model_requested LowCardinality(Nullable(String))',
  'downgraded_by_budget_id Nullable(Int32)',
  'model LowCardinality(Nullable(String))',
  'status LowCardinality(String)',
  'http_status Int16',
  'error_code LowCardinality(Nullable(String))',
  'error_message Nullable(String)',
  'is_stream Bool',
  'attempts Int16',
  'provider_calls Nullable(String)',
  'repeats Int32 DEFAULT 1',
  "received_at DateTime64(6, 'UTC') CODEC(Delta, ZSTD)",
  'first_byte_ms Nullable(Float32)',
  'response_time_ms Float32',
  'prompt_tokens Int32',
  'cache_read_tokens Int32',
  'cache_write_tokens Int32',
  'completion_tokens Int32',
  'reasoning_tokens Int32',
  'usage_source LowCardinality(String)',
  'client_request_id Nullable(String)',
  'cost_nano_usd Nullable(Int64)',
  'is_service_managed Bool',
  'price Nullable(String)',
  'intent_classification LowCardinality(Nullable(String))',
  'confidence_score Nullable(Float32)',
  'user_score_before Nullable(Float64)',
  'user_score_after Nullable(Float64)',
  'deviation_score_delta Nullable(Float64)',
  'deviation_receipts Nullable(String)',
  'prompt Nullable(String) CODEC(ZSTD(3))',
  'response Nullable(String) CODEC(ZSTD(3))',
  // Base64 encoding of the bytes returned by compressText.
  'request_body Nullable(String) CODEC(ZSTD(3))',
  'request_bytes Nullable(Int32)',
  'request_sha256 Nullable(String)',
  'response_bytes Nullable(Int32)',
  // NULL once retention has deleted the texts.
  'prompt_privacy LowCardinality(Nullable(String))',
  // Location of the texts in object storage. Same columns as in PostgreSQL's request_log_bodies.
  'body_object Nullable(String) CODEC(ZSTD)',
  'body_offset Nullable(Int32)',
  'body_length Nullable(Int32)',
  'is_cut Bool',
] as const;

/** Time of an id in milliseconds. */
const idMs = 'toInt64(bitShiftRight(id, 80))';
/**
 * Each day of a tenant is on one shard, so that a journal's block is sent to few shards and a day is read from one
 * shard.
 */
const shardingKey = `cityHash64(tenant_id, intDiv(${idMs}, 86400000))`;

/**
 * Returns repeatable statements that create the tables. Rows are sorted by tenant and id, so that a tenant's newest
 * rows are read from the end. Each UTC day of the id has a partition, so that retention can drop whole days.
 */
export function createStatements(
  { cluster, database, onCluster, stored }: LogTables,
  hasTextIndex: boolean,
): string[] {
  const { indexes, settings } = indexesOfTable(hasTextIndex);
  const path = `/clickhouse/tables/{shard}/${database}/${stored}`;
  const engine = cluster === null ? 'MergeTree' : `ReplicatedMergeTree(${quote(path)}, '{replica}')`;
  const window = cluster === null ? 'non_replicated_deduplication_window' : 'replicated_deduplication_window';
  const table = `CREATE TABLE IF NOT EXISTS ${stored}${onCluster} (${[...columns, ...indexes].join(',\n  ')})
  ENGINE = ${engine}
  PARTITION BY toDate(fromUnixTimestamp64Milli(${idMs}, 'UTC'))
  ORDER BY (tenant_id, id)
  SETTINGS ${[`${window} = ${rememberedBlocks}`, `index_granularity_bytes = ${granuleBytes}`, ...settings].join()}`;
  if (cluster === null) return [table];
  return [
    table,
    `CREATE TABLE IF NOT EXISTS request_logs${onCluster} AS ${stored}
     ENGINE = Distributed(${quote(cluster)}, ${quote(database)}, ${stored}, ${shardingKey})`,
  ];
}

/** Creates the tables, and adds columns and indexes that were introduced after the tables were created. */
export async function createTables(connection: ClickhouseConnection): Promise<void> {
  await checkEngine(connection);
  const hasTextIndex = await hasTextIndexes(connection);
  for (const statement of createStatements(connection.tables, hasTextIndex)) await connection.run(statement);
  const { onCluster, stored } = connection.tables;
  // Alter the stored table first: the distributed table must not select columns that the stored table lacks.
  for (const table of new Set([stored, 'request_logs'])) {
    const added = await findMissingColumns(connection, table);
    if (added.length > 0)
      await connection.run(
        `ALTER TABLE ${table}${onCluster} ${added.map((column) => `ADD COLUMN IF NOT EXISTS ${column}`).join(', ')}`,
      );
  }
  await addIndexes(connection, hasTextIndex);
}

async function findMissingColumns({ read }: ClickhouseConnection, table: string): Promise<string[]> {
  const found = await read<{ name: string }>(
    'SELECT name FROM system.columns WHERE database = currentDatabase() AND table = {table:String}',
    { params: { table } },
  );
  const names = new Set(found.map(({ name }) => name));
  return columns.filter((column) => !names.has(column.split(' ', 1)[0] ?? ''));
}

/**
 * Checks that the table matches the setting: a cluster or a single server.
 * @throws Error on a mismatch, because reads would miss rows
 */
async function checkEngine({ read, tables }: ClickhouseConnection): Promise<void> {
  const [found] = await read<{ engine: string }>(
    "SELECT engine FROM system.tables WHERE database = currentDatabase() AND name = 'request_logs'",
  );
  if (!found || (found.engine === 'Distributed') === (tables.cluster !== null)) return;
  throw new Error(
    `The table ${tables.database}.request_logs in ClickHouse has the engine ${found.engine}, but SLUICE_LOG_STORE names ${tables.cluster === null ? 'no cluster' : `the cluster ${tables.cluster}`}. Use another database, or change the setting.`,
  );
}

/** ClickHouse connection that creates the tables if they could not be created at startup. */
export interface ShipperConnection extends ClickhouseConnection {
  /** Whether ClickHouse responded to the shipper's last query; true before the first query. */
  isUp(): boolean;
}

export function connectShipper(url: string): ShipperConnection {
  const connection = connect(url);
  let hasTables = false;
  let isUp = true;
  const ensured = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      if (!hasTables) await createTables(connection);
      hasTables = true;
      const result = await work();
      isUp = true;
      return result;
    } catch (error) {
      isUp = !(error instanceof LogStoreError);
      throw error;
    }
  };
  return {
    ...connection,
    isUp: () => isUp,
    read: (query, options) => ensured(() => connection.read(query, options)),
    run: (statement, options) => ensured(() => connection.run(statement, options)),
    insert: (...args) => ensured(() => connection.insert(...args)),
  };
}
