import type { Job } from '@sluice/contract';
import { sql } from 'drizzle-orm';
import type { SystemDatabase } from '#db/system.ts';

export interface ListedJob extends Job {
  /** Seconds between two regular runs; 0 if no node has planned the job yet. */
  readonly interval_seconds: number;
  readonly figures: Readonly<Record<string, number>>;
}

/**
 * Returns the jobs that nodes run, by name. Jobs that no node has planned for 3 hours are omitted, since they are no
 * longer configured.
 */
export async function listJobs(database: SystemDatabase): Promise<ListedJob[]> {
  const { rows } = await database.execute<Record<string, unknown> & Row>(
    sql`SELECT name, coalesce(s.leased_until > now(), false) AS "isRunning", s.next_at AS "nextAt",
        coalesce(s.interval_seconds, 0) AS "intervalSeconds",
        r.started_at AS "startedAt", r.duration_ms AS "durationMs", r.succeeded_at AS "succeededAt",
        coalesce(r.failures, 0)::int AS failures, r.last_error AS "lastError", coalesce(r.figures, '{}') AS figures
      FROM job_schedules s LEFT JOIN job_runs r USING (name)
      WHERE s.planned_at > (SELECT max(planned_at) FROM job_schedules) - interval '3 hours' ORDER BY name`,
  );
  return rows.map((row) => ({
    name: row.name,
    is_running: row.isRunning,
    next_at: toInstant(row.nextAt),
    interval_seconds: row.intervalSeconds,
    started_at: toInstant(row.startedAt),
    duration_ms: row.durationMs,
    succeeded_at: toInstant(row.succeededAt),
    failures: row.failures,
    last_error: row.lastError,
    figures: row.figures,
  }));
}

interface Row {
  readonly name: string;
  readonly isRunning: boolean;
  readonly nextAt: string | Date | null;
  readonly intervalSeconds: number;
  readonly startedAt: string | Date | null;
  readonly durationMs: number | null;
  readonly succeededAt: string | Date | null;
  readonly failures: number;
  readonly lastError: string | null;
  readonly figures: Readonly<Record<string, number>>;
}

function toInstant(value: string | Date | null): string | null {
  return value === null ? null : new Date(value).toISOString();
}

/** Returns `false` if there is no job with this name. */
export async function requestRun(database: SystemDatabase, name: string): Promise<boolean> {
  const { rowCount } = await database.execute(
    sql`UPDATE job_schedules SET next_at = least(next_at, now()) WHERE name = ${name}`,
  );
  return rowCount === 1;
}

/** Number of intervals without a success after which a job is overdue, plus a margin for start and retries. */
const intervalsMax = 2;
const marginMs = 10 * 60_000;

/** A job that has never run is overdue if the margin after its first planned run has passed. */
export function isOverdue(listed: ListedJob, nowMs: number): boolean {
  const { succeeded_at, next_at, interval_seconds } = listed;
  if (interval_seconds === 0) return false;
  if (succeeded_at === null) return next_at !== null && nowMs > Date.parse(next_at) + marginMs;
  return nowMs > Date.parse(succeeded_at) + intervalsMax * interval_seconds * 1_000 + marginMs;
}
