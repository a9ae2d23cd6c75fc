import type { Replica } from '#db/replica/replica.ts';
import type { Metrics } from './catalogue.ts';

export function readReplicaMetrics({ status, outcomes }: Pick<Replica, 'status' | 'outcomes'>): Metrics {
  const { lagMs, state } = status;
  return {
    sluice_replica_workers: [{ labels: { state }, value: 1 }],
    sluice_replica_lag_seconds: lagMs === null ? [] : [{ labels: {}, value: lagMs / 1000 }],
    sluice_replica_reads_total: [...outcomes].map(([outcome, value]) => ({ labels: { outcome }, value })),
  };
}
