import type { Metrics } from '#telemetry/metrics/catalogue.ts';
import { readPools } from '#telemetry/metrics/process-metrics.ts';

export interface Backlog {
  readonly bytes: number;
  /**
   * Time in milliseconds since the journal with the oldest unshipped records was last fully shipped; 0 if all records
   * are shipped.
   */
  readonly ageMs: number;
}

export function readShipperMetrics({ bytes, ageMs }: Backlog, isLogStoreUp: boolean | null): Metrics {
  return {
    ...readPools(),
    sluice_journal_backlog_bytes: [{ labels: {}, value: bytes }],
    sluice_journal_backlog_age_seconds: [{ labels: {}, value: ageMs / 1000 }],
    ...(isLogStoreUp !== null && { sluice_log_store_up: [{ labels: {}, value: Number(isLogStoreUp) }] }),
  };
}
