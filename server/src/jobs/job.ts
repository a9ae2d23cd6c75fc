import type { SystemDatabase } from '#db/system.ts';
import type { Logger } from '#platform/logger.ts';

/** Results of a job by name, for the status page and the metrics. */
export type JobFigures = Readonly<Record<string, number>>;

interface Scheduled {
  readonly name: string;
  /** Cron expression in UTC; a sixth field at the start is the second. */
  readonly pattern: string;
}

/** Job that runs in one transaction, which also records its completion, so that a crash leaves no partial result. */
export interface TransactionJob extends Scheduled {
  run(tx: SystemDatabase, log: Logger): Promise<JobFigures> | Promise<void>;
}

/** Job in steps that each use their own connection. It must be safe to run twice, since a lease can expire. */
export interface SteppedJob extends Scheduled {
  /** Whether a run may take minutes; such jobs do not delay jobs of other kinds. */
  readonly isLong?: boolean;
  runInSteps(steps: JobSteps): Promise<JobFigures> | Promise<void>;
}

export interface JobSteps {
  readonly database: SystemDatabase;
  readonly log: Logger;
  /** Aborts when the node drains or its lease is lost; the next run does the rest. */
  readonly signal: AbortSignal;
}

/** Scheduled work, on one node at a time. */
export type Job = TransactionJob | SteppedJob;
