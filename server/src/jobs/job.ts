import type { SystemDatabase } from '#db/system.ts';
import type { Logger } from '#platform/logger.ts';

/** What a job has found out, by name, for the status page and the metrics. */
export type JobFigures = Readonly<Record<string, number>>;

interface Scheduled {
  readonly name: string;
  /** When, in UTC, as a cron expression; a sixth field in front is the second. */
  readonly pattern: string;
}

/** Work of one transaction, which also says that it is done: a node that dies leaves nothing of it. */
export interface TransactionJob extends Scheduled {
  run(tx: SystemDatabase, log: Logger): Promise<JobFigures> | Promise<void>;
}

/** Work in steps that each take a connection of their own. Running it twice must do no harm: a lease can expire. */
export interface SteppedJob extends Scheduled {
  /** True if it may take minutes; it then keeps no other kind of job waiting. */
  readonly isLong?: boolean;
  runInSteps(steps: JobSteps): Promise<JobFigures> | Promise<void>;
}

export interface JobSteps {
  readonly database: SystemDatabase;
  readonly log: Logger;
  /** Aborts when the node drains or its lease is lost; what is left is done by the next run. */
  readonly signal: AbortSignal;
}

/** Work on a schedule, on one node at a time. */
export type Job = TransactionJob | SteppedJob;
