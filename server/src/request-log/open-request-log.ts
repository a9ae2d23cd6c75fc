import type { Config } from '#config/config.ts';
import { LogStoreError } from '#domain/request-log/log-store-error.ts';
import { openObjectStore } from '#object-store/object-store.ts';
import type { Logger } from '#platform/logger.ts';
import type { SealingKey } from '#platform/seal-secret.ts';
import { openClickhouseRequestLog, prepareClickhouse } from './clickhouse/clickhouse-request-log.ts';
import { postgresRequestLog } from './postgres/postgres-request-log.ts';
import type { RequestLog } from './request-log.ts';
import { withBodies } from './with-bodies.ts';

/** Opens the request log selected by the configuration. Without a key, the log cannot read bodies in object storage. */
export function openRequestLog(
  { bodyStore, logStoreUrl }: Pick<Config, 'bodyStore' | 'logStoreUrl'>,
  sealingKey: SealingKey | null,
): RequestLog {
  const log = logStoreUrl === null ? postgresRequestLog : openClickhouseRequestLog(logStoreUrl);
  return withBodies(log, bodyStore && sealingKey && { store: openObjectStore(bodyStore), sealingKey });
}

/** If the database is unavailable, the shipper creates the tables later. */
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
