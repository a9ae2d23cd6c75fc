import { Cron } from 'croner';
import { sql } from 'drizzle-orm';
import { jobSchedules } from '#db/schema/platform.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { Clock } from '#platform/clock.ts';
import type { Job } from './job.ts';

/** Delays after the first and later failures; an earlier regular run is not postponed. */
const retrySeconds = [10, 30, 120, 600, 1_800];
/** Jobs with the same pattern start at different times within this span, or within their period if it is shorter. */
const spreadMs = 45_000;
/** A node that dies during a stepped job blocks it for this long. */
export const leaseMs = 60_000;

/** Returns the milliseconds until the next regular run of a job, and those between two runs. */
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

/** Returns the same offset on every node, so that all of them plan the same time. */
function findOffsetMs(name: string, spread: number): number {
  let hash = 0;
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return hash % Math.max(1, Math.floor(spread));
}

const inMs = (ms: number) => sql`now() + ${ms} * interval '1 millisecond'`;

/** Plans the jobs that a node runs; a missed run stays due. */
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

/** Returns the milliseconds until each job is due, negative if it is overdue; leased jobs are omitted. */
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

/** First key of these advisory locks, which keeps them apart from single-key locks and the console's two-key locks. */
const lockSpace = 7_153_883;

/** Locks a job; returns `false` while another transaction runs it. */
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

/** Leases a job; returns `false` while another run has the lease, or if the job must be due and is not. */
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

/** Renews a lease; returns `false` if another run has it by now. */
export async function renewLease(database: SystemDatabase, name: string, runId: string): Promise<boolean> {
  const { rowCount } = await database.execute(
    sql`UPDATE job_schedules SET leased_until = ${inMs(leaseMs)} WHERE name = ${name} AND run_id = ${runId}`,
  );
  return rowCount === 1;
}

/** Releases the lease of a stepped run, unless another run has it by now. */
export async function endLease(database: SystemDatabase, name: string, runId: string): Promise<void> {
  await database.execute(
    sql`UPDATE job_schedules SET run_id = NULL, leased_until = NULL WHERE name = ${name} AND run_id = ${runId}`,
  );
}

/** Plans the run after a success. */
export async function planNextRun(tx: SystemDatabase, job: Job, clock: Clock): Promise<void> {
  const nextAt = inMs(findNextRun(job, clock()).waitMs);
  await tx
    .insert(jobSchedules)
    .values({ name: job.name, nextAt })
    .onConflictDoUpdate({ target: jobSchedules.name, set: { nextAt, attempts: 0 } });
}

/** Plans the run after a failure, and returns the milliseconds until then. */
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
