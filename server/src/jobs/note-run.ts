import { sql } from 'drizzle-orm';
import { jobRuns } from '#db/schema/job-runs.ts';
import type { SystemDatabase } from '#db/system.ts';

/** How a run of a job ended; `figures` is what it found out. */
export interface JobRun {
  readonly name: string;
  readonly durationMs: number;
  readonly figures: Readonly<Record<string, number>>;
  /** `null` when it ended well. */
  readonly error: string | null;
}

const errorMaxLength = 500;

/** Writes down, for operators, how a job has gone. */
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
