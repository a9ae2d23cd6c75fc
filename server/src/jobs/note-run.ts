import { sql } from 'drizzle-orm';
import { jobRuns } from '#db/schema/job-runs.ts';
import type { SystemDatabase } from '#db/system.ts';

/** Result of a run of a job; `figures` holds its metrics. */
export interface JobRun {
  readonly name: string;
  readonly durationMs: number;
  readonly figures: Readonly<Record<string, number>>;
  /** `null` if the run succeeded. */
  readonly error: string | null;
}

const errorMaxLength = 500;

/** Records the result of a run, for operators. */
export async function noteRun(
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
