import type { jobsRoutes } from '@sluice/contract';
import { createAcrossTenants } from '#console/across-tenants.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { Handlers } from '#http/console-route.ts';
import { listJobs } from '#jobs/job-list.ts';
import { runJob } from './run.ts';

export function createJobsHandlers({
  system,
}: {
  readonly system: SystemDatabase;
}): Handlers<typeof jobsRoutes> {
  const acrossTenants = createAcrossTenants(system);
  return {
    listJobs: acrossTenants(listJobs),
    runJob: acrossTenants(runJob, ({ params }) => params.name),
  };
}
