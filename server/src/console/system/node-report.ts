import type { NodeReport } from '@sluice/contract';
import type { Replica } from '#db/replica/replica.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { Logger } from '#platform/logger.ts';
import type { MetricName, Metrics } from '#telemetry/metrics/catalogue.ts';
import { removeNodeReport, saveNodeReport } from './store.ts';

export interface ReportingOptions {
  readonly system: SystemDatabase;
  readonly node: string;
  readonly version: string;
  readonly workers: number;
  readonly unreadiness: () => string | null;
  /** `null` if there is no read replica. */
  readonly replica: Pick<Replica, 'status'> | null;
  readonly readNodeMetrics: () => Promise<readonly Metrics[]>;
  readonly log: Logger;
}

const everyMs = 10_000;
/** Delay of the first report, so that the supervisor of a new node has the states of its workers. */
const firstAfterMs = 1_000;

/** Reports the state of this node every few seconds, so that every node can show the states of all nodes. */
export function startReporting(options: ReportingOptions): { stop(): Promise<void> } {
  const { system, node, log } = options;
  const startedAt = new Date(Date.now() - process.uptime() * 1000).toISOString();
  let saving: Promise<void> = Promise.resolve();
  const report = () => {
    saving = saving
      .then(async () => saveNodeReport(system, node, await summarizeNode(options, startedAt)))
      .catch((error) => log.debug({ error }, 'this node could not report its state'));
  };
  const first = setTimeout(report, firstAfterMs);
  const timer = setInterval(report, everyMs);
  return {
    async stop() {
      clearTimeout(first);
      clearInterval(timer);
      await saving;
      await removeNodeReport(system, node).catch(() => undefined);
    },
  };
}

async function summarizeNode(
  { version, workers, unreadiness, replica, readNodeMetrics }: ReportingOptions,
  startedAt: string,
): Promise<NodeReport> {
  const all = await readNodeMetrics();
  const values = (name: MetricName) => all.flatMap((metrics) => metrics[name] ?? []);
  const sum = (name: MetricName) => values(name).reduce((total, { value }) => total + value, 0);
  const ready = values('sluice_workers').filter(({ labels }) => labels.state === 'ready');
  return {
    version,
    started_at: startedAt,
    workers,
    workers_ready: ready.length,
    unready_reason: unreadiness(),
    requests_in_flight: sum('sluice_requests_in_flight'),
    journal_backlog_bytes: sum('sluice_journal_backlog_bytes'),
    journal_backlog_age_seconds: Math.max(
      0,
      ...values('sluice_journal_backlog_age_seconds').map(({ value }) => value),
    ),
    circuits_open: sum('sluice_circuits_open'),
    memory_bytes: sum('sluice_process_resident_memory_bytes'),
    replica: replica && describeReplica(replica.status),
  };
}

function describeReplica({ state, lagMs, problem }: Replica['status']): NodeReport['replica'] {
  return { state, lag_seconds: lagMs === null ? null : lagMs / 1000, problem };
}
