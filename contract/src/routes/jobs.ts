import { z } from 'zod';
import { instant } from '../ids.ts';
import { defineRoutes } from '../route.ts';

/** A job of the installation, whatever node runs it. */
export const job = z.object({
  name: z.string(),
  is_running: z.boolean(),
  /** When it runs next, a retry after a failure included; `null` if no node has planned it yet. */
  next_at: instant.nullable(),
  /** `null` until it has run. */
  started_at: instant.nullable(),
  duration_ms: z.number().nullable(),
  succeeded_at: instant.nullable(),
  failures: z.number().int(),
  /** Of the last run, if it failed. */
  last_error: z.string().nullable(),
});

export type Job = z.infer<typeof job>;

const operate = { surface: 'management', permission: 'super_admin' } as const;

export const jobsRoutes = defineRoutes({
  listJobs: {
    ...operate,
    method: 'GET',
    path: '/admin/jobs',
    summary: 'Every job with its last and its next run',
    response: z.array(job),
  },
  runJob: {
    ...operate,
    method: 'POST',
    path: '/admin/jobs/{name}/run',
    summary: 'Make a job due now; a node runs it within 5 seconds',
    request: { params: z.strictObject({ name: z.string().min(1).max(100) }) },
    response: job,
  },
});
