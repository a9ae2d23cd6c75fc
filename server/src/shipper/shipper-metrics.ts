import type { Metrics } from '#telemetry/metrics/catalogue.ts';
import { readPools } from '#telemetry/metrics/pool-metrics.ts';

/** What stands in journals and not yet in the database. */
export interface Backlog {
  readonly bytes: number;
  /** For how long the journal that waits longest has not been shipped to its end; 0 when all are. */
  readonly ageMs: number;
}

export function readShipperMetrics({ bytes, ageMs }: Backlog): Metrics {
  return {
    ...readPools(),
    sluice_journal_backlog_bytes: [{ labels: {}, value: bytes }],
    sluice_journal_backlog_age_seconds: [{ labels: {}, value: ageMs / 1000 }],
  };
}
