import type { Operation } from '@sluice/contract';
import { findLastBackup } from '#db/backup/backup-history.ts';
import { classifyDatabaseFailure } from '#db/database-failure.ts';
import type { SystemDatabase } from '#db/system.ts';
import { type ListedJob, listJobs } from '#jobs/job-list.ts';
import type { Metrics } from '#telemetry/metrics/catalogue.ts';
import { countUnsentMails, listNodeReports, listOpenCircuits, readDatabase } from './store.ts';

export async function readOperation(system: SystemDatabase, node: string): Promise<Operation> {
  const nodes = await listNodeReports(system);
  const database = await readDatabase(system);
  const circuits = await listOpenCircuits(system);
  const jobs = await listJobs(system);
  const backedUpAt = await findLastBackup(system);
  const mails = await countUnsentMails(system);
  return {
    nodes: nodes.map(({ name, seenAt, report }) => ({
      ...report,
      name,
      seen_at: seenAt.toISOString(),
      is_asked: name === node,
    })),
    database,
    circuits,
    jobs,
    backed_up_at: backedUpAt?.toISOString() ?? null,
    mails_waiting: mails.waiting,
    mails_held: mails.held,
    invariants: readInvariants(jobs),
  };
}

/** If the database is unavailable, only returns `sluice_database_up`. */
export async function readInstallationMetrics(system: SystemDatabase): Promise<Metrics> {
  try {
    const jobs = await listJobs(system);
    const backedUpAt = await findLastBackup(system);
    const mails = await countUnsentMails(system);
    return {
      ...toMetrics(jobs),
      sluice_database_up: one(1),
      sluice_mails_waiting: one(mails.waiting),
      sluice_backup_last_success_seconds: one(backedUpAt && backedUpAt.getTime() / 1000),
    };
  } catch (error) {
    const failure = classifyDatabaseFailure(error);
    // An exhausted connection pool does not mean that the database is down.
    return failure === 'busy' || failure === 'share_full' ? {} : { sluice_database_up: one(0) };
  }
}

function toMetrics(jobs: readonly ListedJob[]): Metrics {
  const invariants = readInvariants(jobs);
  return {
    sluice_ledger_drift_tenants: one(invariants.ledger_drift_tenants),
    sluice_allowance_drift: one(invariants.allowance_drift),
    sluice_lost_nodes: one(invariants.lost_nodes),
    sluice_telemetry_dropped_total: one(readFigure(jobs, 'send-alerts', 'givenUp')).map(({ value }) => ({
      labels: { signal: 'alerts' },
      value,
    })),
    sluice_job_last_success_seconds: jobs.flatMap(({ name, succeeded_at }) =>
      succeeded_at ? [{ labels: { job_name: name }, value: Date.parse(succeeded_at) / 1000 }] : [],
    ),
    sluice_job_interval_seconds: jobs.flatMap(({ name, interval_seconds }) =>
      interval_seconds > 0 ? [{ labels: { job_name: name }, value: interval_seconds }] : [],
    ),
    sluice_job_failures_total: jobs.map(({ name, failures }) => ({
      labels: { job_name: name },
      value: failures,
    })),
  };
}

const one = (value: number | null) => (value === null ? [] : [{ labels: {}, value }]);

function readInvariants(jobs: readonly ListedJob[]): Operation['invariants'] {
  return {
    ledger_drift_tenants: readFigure(jobs, 'check-last-entries', 'drifts'),
    allowance_drift: readFigure(jobs, 'check-leases', 'drifts'),
    lost_nodes: readFigure(jobs, 'expire-nodes', 'lostNodes'),
  };
}

function readFigure(jobs: readonly ListedJob[], job: string, name: string): number | null {
  return jobs.find((run) => run.name === job)?.figures[name] ?? null;
}
