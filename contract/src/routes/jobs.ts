import { z } from 'zod';
import { instant } from '../ids.ts';
import { defineRoutes } from '../route.ts';

/** Scheduled job of the installation, independent of the node that runs it. */
export const job = z.object({
  name: z.string(),
  is_running: z.boolean(),
  /** Next run, including a retry after a failure; `null` if no node has scheduled it yet. */
  next_at: instant.nullable(),
  /** `null` until the first run. */
  started_at: instant.nullable(),
  duration_ms: z.number().nullable(),
  succeeded_at: instant.nullable(),
  failures: z.number().int(),
  /** Error of the last run, if it failed. */
  last_error: z.string().nullable(),
});

export type Job = z.infer<typeof job>;

const operate = { surface: 'management', permission: 'super_admin' } as const;

export const jobsRoutes = defineRoutes({
  listJobs: {
    ...operate,
    method: 'GET',
    path: '/admin/jobs',
    summary: 'List all jobs with their last and next run',
    response: z.array(job),
  },
  runJob: {
    ...operate,
    method: 'POST',
    path: '/admin/jobs/{name}/run',
    summary: 'Schedule a job to run now; a node runs it within 5 seconds',
    request: { params: z.strictObject({ name: z.string().min(1).max(100) }) },
    response: job,
  },
});
