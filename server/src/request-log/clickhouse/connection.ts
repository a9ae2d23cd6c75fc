import {
  type ClickHouseClient,
  ClickHouseError,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
} from '@clickhouse/client';
import { LogStoreError, LogTimeoutError } from '#domain/request-log/log-store-error.ts';
import { type LogTables, notOnInsert, splitLogStoreUrl } from './log-tables.ts';

export type QueryParams = Readonly<Record<string, QueryValue>>;
type QueryValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly string[]
  | readonly number[]
  | readonly bigint[];

export interface ClickhouseConnection {
  readonly tables: LogTables;
  readonly user: string;
  /** Returns integers of 64 bits or more as text. */
  read<Row>(query: string, options?: ReadOptions): Promise<Row[]>;
  stream<Row>(query: string, options?: ReadOptions): AsyncGenerator<Row>;
  /** Runs a statement that returns no rows. */
  run(
    statement: string,
    options?: { readonly params?: QueryParams; readonly timeoutMs?: number },
  ): Promise<void>;
  /** An insert that repeats the token of an earlier one adds no rows twice, even if the earlier one was interrupted. */
  insert(table: string, rows: readonly object[], options: InsertOptions): Promise<void>;
  close(): Promise<void>;
}

export interface InsertOptions {
  readonly token: string;
  readonly queryId?: string;
}

export interface ReadOptions {
  readonly params?: QueryParams;
  readonly settings?: ClickHouseSettings;
  readonly timeoutMs?: number;
  /** Whether the client stops waiting at the timeout instead of waiting for the server to report it. */
  readonly isQuick?: boolean;
}

const defaultTimeoutMs = 30_000;
const insertTimeoutMs = 60_000;
/** Time limit of statements that change the schema or delete rows. */
const statementTimeoutMs = 600_000;
/** Additional time for the server to report its own timeout before the client stops waiting. */
const graceMs = 5_000;
const openConnectionsMax = 10;

/**
 * An insert returns after the block is written to its shards, so that each shard records the token. A DDL statement
 * waits only for available servers. Other servers run it when they are available again.
 */
const clusterSettings: Readonly<Record<string, string | number>> = {
  distributed_foreground_insert: 1,
  distributed_product_mode: 'deny',
  // Missing in the type definitions of the client.
  distributed_ddl_output_mode: 'throw_only_active',
  skip_unavailable_shards: 0,
};

/** The URL contains the user, the password and the database. Connects when needed. */
export function connect(url: string): ClickhouseConnection {
  const { server, tables } = splitLogStoreUrl(url);
  const clickhouse = openClient(server, tables);
  const readSettings = rememberInsertSettings(clickhouse);
  return {
    tables,
    user: decodeURIComponent(new URL(server).username) || 'default',
    async read<Row>(query: string, options: ReadOptions = {}) {
      return explaining(async () => (await ask(clickhouse, query, options)).json<Row>());
    },
    async *stream<Row>(query: string, options: ReadOptions = {}) {
      const answer = await explaining(() => ask(clickhouse, query, options));
      for await (const rows of answer.stream<Row>()) yield* rows.map((row) => row.json());
    },
    async run(statement, { params, timeoutMs = statementTimeoutMs } = {}) {
      await explaining(() =>
        clickhouse.command({
          query: statement,
          query_params: { ...params },
          abort_signal: AbortSignal.timeout(timeoutMs + graceMs),
          clickhouse_settings: {
            max_execution_time: timeoutMs / 1000,
            ...(tables.cluster !== null && { distributed_ddl_task_timeout: String(timeoutMs / 1000) }),
          },
        }),
      );
    },
    async insert(table, rows, { token, queryId }) {
      const settings = await readSettings();
      await explaining(() =>
        clickhouse.insert({
          table,
          values: rows,
          format: 'JSONEachRow',
          abort_signal: AbortSignal.timeout(insertTimeoutMs),
          ...(queryId !== undefined && { query_id: queryId }),
          clickhouse_settings: {
            ...settings,
            insert_deduplication_token: token,
            async_insert: 0,
            input_format_parallel_parsing: 0,
            max_execution_time: insertTimeoutMs / 1000,
            workload: 'sluice_writes',
          },
        }),
      );
    },
    close: () => clickhouse.close(),
  };
}

function openClient(server: string, { cluster }: LogTables): ClickHouseClient {
  const settings = cluster === null ? {} : clusterSettings;
  return createClient({
    url: server,
    application: 'sluice',
    max_open_connections: openConnectionsMax,
    request_timeout: statementTimeoutMs + graceMs,
    // Compressing inserts used 40% of the shipper's CPU time.
    compression: { request: false, response: true },
    // The caller logs errors; the client would log them a second time.
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: { output_format_json_quote_64bit_integers: 1, join_use_nulls: 1, ...settings },
  });
}

const excludedOnInsert = 'exclude_materialize_skip_indexes_on_insert';

/**
 * Returns a function that reads the insert settings once and caches them. The settings exclude indexes that merges or
 * `indexDays` build. They are empty if the server does not support the exclusion.
 */
function rememberInsertSettings(clickhouse: ClickHouseClient): () => Promise<ClickHouseSettings> {
  const query = `SELECT count() AS count FROM system.settings WHERE name = '${excludedOnInsert}'`;
  let settings: ClickHouseSettings | undefined;
  return async () => {
    if (settings) return settings;
    const [found] = await explaining(async () =>
      (await ask(clickhouse, query, {})).json<{ count: string }>(),
    );
    settings = Number(found?.count ?? 0) > 0 ? { [excludedOnInsert]: notOnInsert } : {};
    return settings;
  };
}

function ask(
  clickhouse: ClickHouseClient,
  query: string,
  { params, settings, timeoutMs = defaultTimeoutMs, isQuick = false }: ReadOptions,
) {
  return clickhouse.query({
    query,
    query_params: { ...params },
    format: 'JSONEachRow',
    abort_signal: AbortSignal.timeout(timeoutMs + (isQuick ? 0 : graceMs)),
    clickhouse_settings: {
      ...settings,
      max_execution_time: timeoutMs / 1000,
      cancel_http_readonly_queries_on_client_close: 1,
    },
  });
}

/** `TIMEOUT_EXCEEDED`, `TOO_SLOW` and `MEMORY_LIMIT_EXCEEDED`. */
const limitCodes = new Set(['159', '160', '241']);
const tooManyQueriesCode = '202';

async function explaining<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ClickHouseError)) {
      throw new LogStoreError('The database of the request log cannot be reached.', { cause: error });
    }
    if (limitCodes.has(error.code)) {
      throw new LogTimeoutError('A query of the request log took too long.', { cause: error });
    }
    if (error.code === tooManyQueriesCode) {
      throw new LogStoreError('Too many queries of the request log are running.', { cause: error });
    }
    throw error;
  }
}
