import type { jobsRoutes } from '@sluice/contract';
import type { SystemDatabase } from '#db/system.ts';
import type { Handlers } from '#http/console-route.ts';
import { listJobs } from '#jobs/job-list.ts';
import { runJob } from './run.ts';

export function createJobsHandlers({
  system,
}: {
  readonly system: SystemDatabase;
}): Handlers<typeof jobsRoutes> {
  return {
    listJobs: () => listJobs(system),
    runJob: (_, { params }) => runJob(system, params.name),
  };
}
