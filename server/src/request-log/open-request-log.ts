import type { Config } from '#config/config.ts';
import { LogStoreError } from '#domain/request-log/log-store-error.ts';
import type { Logger } from '#platform/logger.ts';
import { openClickhouseRequestLog, prepareClickhouse } from './clickhouse/clickhouse-request-log.ts';
import { postgresRequestLog } from './postgres/postgres-request-log.ts';
import type { RequestLog } from './request-log.ts';

/** Opens the request log where the configuration keeps it. */
export function openRequestLog({ logStoreUrl }: Pick<Config, 'logStoreUrl'>): RequestLog {
  return logStoreUrl === null ? postgresRequestLog : openClickhouseRequestLog(logStoreUrl);
}

/** Creates and updates the tables of a request log outside of PostgreSQL; the shipper does so later if it is away. */
export async function prepareLogStore(
  { logStoreUrl }: Pick<Config, 'logStoreUrl'>,
  log: Logger,
): Promise<void> {
  if (logStoreUrl === null) return;
  try {
    await prepareClickhouse(logStoreUrl);
  } catch (error) {
    if (!(error instanceof LogStoreError)) throw error;
    log.warn({ error }, 'ClickHouse cannot be reached; requests stay in the journal until it can');
  }
}
