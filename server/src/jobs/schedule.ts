import { Cron } from 'croner';
import { sql } from 'drizzle-orm';
import { jobSchedules } from '#db/schema/platform.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { Clock } from '#platform/clock.ts';
import type { Job } from './job.ts';

/** Delays in seconds after consecutive failures. A regular run that is due earlier is not postponed. */
const retrySeconds = [10, 30, 120, 600, 1_800];
/**
 * Span over which the start times of jobs with the same pattern are spread. A shorter period of a job limits the
 * span.
 */
const spreadMs = 45_000;
/** Lease of a stepped job. If its node dies, the job is blocked for this time. */
export const leaseMs = 60_000;

/** Returns the milliseconds until the next regular run of a job, and the milliseconds between two runs. */
export function findNextRun(
  { name, pattern }: Pick<Job, 'name' | 'pattern'>,
  nowMs: number,
): { readonly waitMs: number; readonly intervalMs: number } {
  const [first, second] = new Cron(pattern, { timezone: 'UTC', paused: true }).nextRuns(2, new Date(nowMs));
  if (!first || !second) throw new Error(`the job ${name} has no next run`);
  const intervalMs = second.getTime() - first.getTime();
  const offsetMs = findOffsetMs(name, Math.min(spreadMs, (intervalMs * 3) / 4));
  return { waitMs: first.getTime() - nowMs + offsetMs, intervalMs };
}

/** Returns the same offset on every node, so that all nodes plan the same time. */
function findOffsetMs(name: string, spread: number): number {
  let hash = 0;
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return hash % Math.max(1, Math.floor(spread));
}

const inMs = (ms: number) => sql`now() + ${ms} * interval '1 millisecond'`;

/** Plans the next regular run of each job. A missed run remains due. */
export async function planJobs(database: SystemDatabase, jobs: readonly Job[], clock: Clock): Promise<void> {
  const rows = jobs
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map((job) => {
      const { waitMs, intervalMs } = findNextRun(job, clock());
      return { name: job.name, nextAt: inMs(waitMs), intervalSeconds: Math.round(intervalMs / 1_000) };
    });
  await database
    .insert(jobSchedules)
    .values(rows)
    .onConflictDoUpdate({
      target: jobSchedules.name,
      set: {
        intervalSeconds: sql`excluded.interval_seconds`,
        plannedAt: sql`now()`,
        nextAt: sql`least(${jobSchedules.nextAt}, excluded.next_at)`,
      },
    });
}

/** Returns the milliseconds until each job is due, negative if it is overdue. Leased jobs are omitted. */
export async function listWaits(
  database: SystemDatabase,
  jobs: readonly Job[],
): Promise<ReadonlyMap<string, number>> {
  const names = sql.join(
    jobs.map(({ name }) => sql`${name}`),
    sql`, `,
  );
  const { rows } = await database.execute<{ name: string; waitMs: number }>(
    sql`SELECT name, (extract(epoch FROM next_at - now()) * 1000)::float8 AS "waitMs" FROM job_schedules
      WHERE name IN (${names}) AND (leased_until IS NULL OR leased_until < now()) ORDER BY next_at`,
  );
  return new Map(rows.map(({ name, waitMs }) => [name, waitMs]));
}

/**
 * First key of these advisory locks. It distinguishes them from single-key locks and from the console's two-key
 * locks.
 */
const lockSpace = 7_153_883;

/** Returns `false` while another transaction runs the job. */
export async function lockJob(tx: SystemDatabase, name: string): Promise<boolean> {
  const { rows } = await tx.execute<{ isOurs: boolean }>(
    sql`SELECT pg_try_advisory_xact_lock(${lockSpace}::int, hashtext(${name})) AS "isOurs"`,
  );
  return rows[0]?.isOurs === true;
}

export async function isJobDue(tx: SystemDatabase, name: string): Promise<boolean> {
  const { rows } = await tx.execute(sql`SELECT FROM job_schedules WHERE name = ${name} AND next_at <= now()`);
  return rows.length > 0;
}

/** Leases a job. Returns `false` while another run has the lease, or if the job must be due and is not. */
export async function leaseJob(
  database: SystemDatabase,
  name: string,
  runId: string,
  isDueOnly: boolean,
): Promise<boolean> {
  const { rowCount } = await database.execute(
    sql`INSERT INTO job_schedules AS s (name, next_at, run_id, leased_until)
      VALUES (${name}, now(), ${runId}, ${inMs(leaseMs)})
      ON CONFLICT (name) DO UPDATE SET run_id = excluded.run_id, leased_until = excluded.leased_until
      WHERE (s.leased_until IS NULL OR s.leased_until < now()) AND (NOT ${isDueOnly} OR s.next_at <= now())`,
  );
  return rowCount === 1;
}

/** Returns `false` if another run has acquired the lease. */
export async function renewLease(database: SystemDatabase, name: string, runId: string): Promise<boolean> {
  const { rowCount } = await database.execute(
    sql`UPDATE job_schedules SET leased_until = ${inMs(leaseMs)} WHERE name = ${name} AND run_id = ${runId}`,
  );
  return rowCount === 1;
}

/** Releases the lease of a stepped run, unless another run has acquired it. */
export async function endLease(database: SystemDatabase, name: string, runId: string): Promise<void> {
  await database.execute(
    sql`UPDATE job_schedules SET run_id = NULL, leased_until = NULL WHERE name = ${name} AND run_id = ${runId}`,
  );
}

export async function planNextRun(tx: SystemDatabase, job: Job, clock: Clock): Promise<void> {
  const nextAt = inMs(findNextRun(job, clock()).waitMs);
  await tx
    .insert(jobSchedules)
    .values({ name: job.name, nextAt })
    .onConflictDoUpdate({ target: jobSchedules.name, set: { nextAt, attempts: 0 } });
}

/** Plans the next attempt after a failure. Returns the milliseconds until the attempt. */
export async function planRetry(tx: SystemDatabase, job: Job, clock: Clock): Promise<number> {
  const [row] = await tx
    .select({ attempts: jobSchedules.attempts })
    .from(jobSchedules)
    .where(sql`${jobSchedules.name} = ${job.name}`)
    .for('update');
  const attempts = row?.attempts ?? 0;
  const backoffMs = (retrySeconds[Math.min(attempts, retrySeconds.length - 1)] ?? 0) * 1_000;
  const waitMs = Math.min(findNextRun(job, clock()).waitMs, backoffMs);
  await tx
    .insert(jobSchedules)
    .values({ name: job.name, nextAt: inMs(waitMs), attempts: 1 })
    .onConflictDoUpdate({
      target: jobSchedules.name,
      set: { nextAt: inMs(waitMs), attempts: attempts + 1 },
    });
  return waitMs;
}
