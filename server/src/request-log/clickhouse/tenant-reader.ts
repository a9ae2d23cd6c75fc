import { SettingsMap } from '@clickhouse/client';
import type { ClickhouseConnection, QueryParams } from './connection.ts';

/**
 * Limits of each query, so that reads leave resources for shipping. A query beyond `max_concurrent_queries_for_user`
 * fails immediately; inserts have no such limit. The workload has no effect unless the server defines it.
 */
const limits = {
  max_memory_usage: '4000000000',
  max_concurrent_queries_for_user: '50',
  workload: 'sluice_reads',
};

/**
 * Runs queries for one tenant. The server adds the tenant condition to each read of the table and uses the index for
 * it, like row-level security in PostgreSQL. All reads of a tenant's rows must use this class.
 */
export class TenantReader {
  readonly #connection: ClickhouseConnection;
  readonly #wall: SettingsMap;
  #timeoutMs: number | undefined;

  constructor(connection: ClickhouseConnection, tenantId: number) {
    if (!Number.isInteger(tenantId)) throw new TypeError('a tenant id must be an integer');
    this.#connection = connection;
    const { database, stored } = connection.tables;
    const isOwn = `tenant_id = ${tenantId}`;
    this.#wall = SettingsMap.from({ [`${database}.request_logs`]: isOwn, [`${database}.${stored}`]: isOwn });
  }

  limitTime(timeoutMs: number): void {
    this.#timeoutMs = timeoutMs;
  }

  /** Time limit of each query; `undefined` for the default. */
  get timeoutMs(): number | undefined {
    return this.#timeoutMs;
  }

  read<Row>(query: string, params: QueryParams = {}, timeoutMs = this.#timeoutMs): Promise<Row[]> {
    return this.#connection.read<Row>(query, this.#options(params, timeoutMs));
  }

  stream<Row>(query: string, params: QueryParams = {}): AsyncGenerator<Row> {
    return this.#connection.stream<Row>(query, this.#options(params, this.#timeoutMs));
  }

  #options(params: QueryParams, timeoutMs: number | undefined) {
    return {
      params,
      settings: { ...limits, additional_table_filters: this.#wall },
      ...(timeoutMs !== undefined && { timeoutMs }),
    };
  }
}
