import { findLastBackup } from '#db/backup/backup-history.ts';
import type { SystemDatabase } from '#db/system.ts';
import { isOverdue, listJobs } from '#jobs/job-list.ts';
import { type Check, ok, warn } from './check.ts';

const dayMs = 86_400_000;
const backupDaysMax = 7;

/** Checks whether jobs run as planned, and the age of the last backup. */
export async function checkJobs(database: SystemDatabase): Promise<Check[]> {
  return [await checkRuns(database), await checkBackup(database)];
}

async function checkRuns(database: SystemDatabase): Promise<Check> {
  const name = 'jobs';
  const jobs = await listJobs(database);
  const planned = jobs.filter(({ interval_seconds }) => interval_seconds > 0);
  if (planned.length === 0) return ok(name, 'none has run yet: they begin with the first start');
  const nowMs = Date.now();
  const overdue = planned.filter((job) => isOverdue(job, nowMs));
  if (overdue.length === planned.length)
    return warn(name, 'none has run lately', 'Start Sluice: jobs run while a node runs.');
  const failed = planned.filter((job) => job.last_error !== null || isOverdue(job, nowMs));
  if (failed.length === 0) return ok(name, `all ${planned.length} ran as planned`);
  return warn(
    name,
    failed
      .map(
        (job) => `${job.name} last succeeded ${job.succeeded_at ?? 'never'}: ${job.last_error ?? 'overdue'}`,
      )
      .join('; '),
    'See the log for the cause, then run: npx sluice jobs run NAME',
  );
}

async function checkBackup(database: SystemDatabase): Promise<Check> {
  const name = 'backup';
  const last = await findLastBackup(database);
  const cure = 'Run: npx sluice backup FILE (or ignore this if you back up PostgreSQL by other means).';
  if (last === null) return warn(name, 'sluice backup has not been run on this database', cure);
  const days = Math.floor((Date.now() - last.getTime()) / dayMs);
  const finding = `the last one was written ${last.toISOString()}`;
  return days >= backupDaysMax ? warn(name, finding, cure) : ok(name, finding);
}
