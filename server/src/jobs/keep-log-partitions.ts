import { keepLogPartitions } from '#db/log-partitions/keep-log-partitions.ts';
import type { Clock } from '#platform/clock.ts';
import type { Job } from './job.ts';

/** Every hour, for days of `clock`: what a start had no time for does not wait for the next day. */
export function createKeepLogPartitions(clock: Clock): Job {
  return {
    name: 'keep-log-partitions',
    pattern: '23 * * * *',
    isLong: true,
    runInSteps: ({ database, log, signal }) => keepLogPartitions(database, { clock, log, signal }),
  };
}
