import type { SystemDatabase } from '#db/system.ts';
import type { Logger } from '#platform/logger.ts';

/** Results of a job by name. The status page and the metrics show them. */
export type JobFigures = Readonly<Record<string, number>>;

interface Scheduled {
  readonly name: string;
  /** Cron expression in UTC. A sixth field at the start is the second. */
  readonly pattern: string;
}

/** Job that runs in one transaction, which also records its completion. A crash therefore leaves no partial result. */
export interface TransactionJob extends Scheduled {
  run(tx: SystemDatabase, log: Logger): Promise<JobFigures> | Promise<void>;
}

/** Job with steps that each use a separate connection. Running the job twice must be safe, since a lease can expire. */
export interface SteppedJob extends Scheduled {
  /** Whether a run may take minutes. Long jobs do not delay jobs of other kinds. */
  readonly isLong?: boolean;
  runInSteps(steps: JobSteps): Promise<JobFigures> | Promise<void>;
}

export interface JobSteps {
  readonly database: SystemDatabase;
  readonly log: Logger;
  /** Aborts when the node drains or the job loses its lease. The next run does the remaining work. */
  readonly signal: AbortSignal;
}

export type Job = TransactionJob | SteppedJob;
