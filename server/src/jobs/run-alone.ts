import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { jobRuns } from '#db/schema/platform.ts';
import type { SystemDatabase } from '#db/system.ts';
import { type Clock, systemClock } from '#platform/clock.ts';
import type { Logger } from '#platform/logger.ts';
import type { Job, SteppedJob, TransactionJob } from './job.ts';
import {
  endLease,
  isJobDue,
  leaseJob,
  leaseMs,
  lockJob,
  planNextRun,
  planRetry,
  renewLease,
} from './schedule.ts';

export interface JobRun {
  readonly name: string;
  readonly durationMs: number;
  readonly figures: Readonly<Record<string, number>>;
  /** Error message; `null` if the run succeeded. */
  readonly error: string | null;
}

const errorMaxLength = 500;

async function noteRun(
  database: SystemDatabase,
  { name, durationMs, figures, error }: JobRun,
): Promise<void> {
  const startedAt = sql`now() - ${durationMs} * interval '1 millisecond'`;
  const isFailed = error !== null;
  const changed = isFailed
    ? { failures: sql`${jobRuns.failures} + 1`, lastError: error.slice(0, errorMaxLength) }
    : { succeededAt: sql`now()`, lastError: null, figures };
  await database
    .insert(jobRuns)
    .values({
      name,
      startedAt,
      durationMs,
      figures,
      ...(isFailed
        ? { failures: 1, lastError: error.slice(0, errorMaxLength) }
        : { succeededAt: sql`now()` }),
    })
    .onConflictDoUpdate({
      target: jobRuns.name,
      set: { startedAt, durationMs, ...changed },
    });
}

export interface RunOptions {
  readonly signal?: AbortSignal;
  /** Whether to skip a job that is not due, for example because another node has just run it. */
  readonly isDueOnly?: boolean;
  readonly clock?: Clock;
}

interface Run extends Required<RunOptions> {
  readonly database: SystemDatabase;
  readonly log: Logger;
}

const renewMs = leaseMs / 3;

/**
 * Skips the job if another node is running it, or with `isDueOnly` if it is not due. Returns whether the job ran. If
 * the job fails, plans the next attempt and rejects.
 */
export async function runAlone(
  database: SystemDatabase,
  job: Job,
  log: Logger,
  options: RunOptions = {},
): Promise<boolean> {
  const { signal = new AbortController().signal, isDueOnly = false, clock = systemClock } = options;
  const run = { database, log, signal, isDueOnly, clock };
  try {
    return await ('run' in job ? runInTransaction(job, run) : runInSteps(job, run));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    await database
      .transaction(async (tx) => {
        await noteRun(tx, { name: job.name, durationMs: 0, figures: {}, error: message });
        const retryMs = await planRetry(tx, job, clock);
        log.warn(
          { error, job: job.name, retrySeconds: Math.round(retryMs / 1_000) },
          'a job failed and will be retried',
        );
      })
      .catch(() => log.warn({ error, job: job.name }, 'a job failed and will be retried'));
    throw error;
  }
}

function runInTransaction(job: TransactionJob, { database, log, isDueOnly, clock }: Run): Promise<boolean> {
  return database.transaction(async (tx) => {
    if (!(await lockJob(tx, job.name))) return false;
    if (isDueOnly && !(await isJobDue(tx, job.name))) return false;
    const startedMs = performance.now();
    const figures = (await job.run(tx, log)) ?? {};
    await noteRun(tx, { name: job.name, durationMs: performance.now() - startedMs, figures, error: null });
    await planNextRun(tx, job, clock);
    return true;
  });
}

async function runInSteps(job: SteppedJob, run: Run): Promise<boolean> {
  const { database, log, clock } = run;
  const runId = randomUUID();
  if (!(await leaseJob(database, job.name, runId, run.isDueOnly))) return false;
  const lease = keepLease(job.name, runId, run);
  const signal = AbortSignal.any([run.signal, lease.lost]);
  try {
    const startedMs = performance.now();
    const figures = (await job.runInSteps({ database, log, signal })) ?? {};
    // An interrupted run remains due, so that the remaining work is done.
    if (signal.aborted) return true;
    const durationMs = performance.now() - startedMs;
    await database.transaction(async (tx) => {
      await noteRun(tx, { name: job.name, durationMs, figures, error: null });
      await planNextRun(tx, job, clock);
    });
    return true;
  } finally {
    await lease.stop();
    await endLease(database, job.name, runId).catch(() => undefined);
  }
}

function keepLease(name: string, runId: string, { database, log }: Run) {
  const lost = new AbortController();
  let heldUntilMs = performance.now() + leaseMs;
  let renewing = Promise.resolve();
  const renew = async () => {
    const askedMs = performance.now();
    const isOurs = await renewLease(database, name, runId).catch(() => null);
    if (isOurs) heldUntilMs = askedMs + leaseMs;
    if (isOurs !== false && performance.now() < heldUntilMs) return;
    log.warn({ job: name }, 'a job is interrupted because its lease was lost');
    lost.abort();
  };
  const timer = setInterval(() => {
    renewing = renew();
  }, renewMs);
  return {
    lost: lost.signal,
    stop() {
      clearInterval(timer);
      return renewing;
    },
  };
}
