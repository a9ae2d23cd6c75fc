import type { Job } from '@sluice/contract';
import type { SystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { notFound } from '#errors/console-error.ts';
import { listJobs, requestRun } from '#jobs/job-list.ts';

/** @throws ConsoleError 404 if the job does not exist */
export async function runJob(tx: SystemDatabase, _author: Principal, name: string): Promise<Job> {
  const isKnown = await requestRun(tx, name);
  const job = isKnown && (await listJobs(tx)).find((one) => one.name === name);
  if (!job) throw notFound('Job');
  return job;
}
