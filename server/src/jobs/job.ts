import type { SystemDatabase } from '#db/system.ts';
import type { Logger } from '#platform/logger.ts';

/** What a job has found out, by name, for the status page and the metrics. */
export type JobFigures = Readonly<Record<string, number>>;

/** Work that the clock asks for. */
export interface Job {
  readonly name: string;
  /** When, in UTC, as cron writes it; a sixth field in front is the second. */
  readonly pattern: string;
  /** In one transaction, while no other node runs it. Running it twice must do no harm: two nodes' clocks differ. */
  run(tx: SystemDatabase, log: Logger, beside: BesideTransaction): Promise<JobFigures> | Promise<void>;
}

/** For a job that would lock too much for too long in that transaction; the lock on the job is held all the while. */
export interface BesideTransaction {
  readonly database: SystemDatabase;
  /** Aborts when the node drains. */
  readonly signal: AbortSignal;
}
