import { keepLogPartitions } from '#db/log-partitions/keep-log-partitions.ts';
import type { Clock } from '#platform/clock.ts';
import type { Job } from './job.ts';

/** Maintains the daily partitions every hour for days of `clock`, including those that a start had no time for. */
export function createKeepLogPartitions(clock: Clock): Job {
  return {
    name: 'keep-log-partitions',
    pattern: '23 * * * *',
    isLong: true,
    runInSteps: ({ database, log, signal }) => keepLogPartitions(database, { clock, log, signal }),
  };
}
