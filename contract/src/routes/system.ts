import { z } from 'zod';
import { instant } from '../ids.ts';
import { defineRoutes } from '../route.ts';

/** State of a job, shared by all nodes. */
export const job = z.object({
  name: z.string(),
  is_running: z.boolean(),
  /** Time of the next run, which may be a retry after a failure. `null` if no node has scheduled the job yet. */
  next_at: instant.nullable(),
  /** `null` until the first run. */
  started_at: instant.nullable(),
  duration_ms: z.number().nullable(),
  succeeded_at: instant.nullable(),
  failures: z.number().int(),
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

export const bannerSeverities = ['info', 'warning', 'error'] as const;

export const banner = z.object({
  id: z.string(),
  severity: z.enum(bannerSeverities),
  message: z.string(),
  raised_at: instant,
});

export type Banner = z.infer<typeof banner>;

/** Nodes report their status every few seconds. */
export const nodeReport = z.object({
  version: z.string(),
  started_at: instant,
  /** Configured workers, and workers that accept requests. */
  workers: z.number().int(),
  workers_ready: z.number().int(),
  unready_reason: z.string().nullable(),
  requests_in_flight: z.number().int(),
  /** Entries that are on disk but not yet in the database. */
  journal_backlog_bytes: z.number(),
  journal_backlog_age_seconds: z.number(),
  circuits_open: z.number().int(),
  memory_bytes: z.number(),
  /** The standby serves lists and reports. `null` if no standby is configured, and in reports of earlier releases. */
  replica: z
    .object({
      state: z.enum(['starting', 'in_use', 'behind', 'away', 'refused']),
      lag_seconds: z.number().nullable(),
      /** Reason for reading from the primary instead of the standby. */
      problem: z.string().nullable(),
    })
    .nullable()
    .default(null),
});

export type NodeReport = z.infer<typeof nodeReport>;

export const operation = z.object({
  nodes: z.array(nodeReport.extend({ name: z.string(), seen_at: instant, is_asked: z.boolean() })),
  database: z.object({
    version: z.string(),
    size_bytes: z.number(),
    connections: z.number().int(),
    connections_max: z.number().int(),
  }),
  /** Nodes currently do not call these models because of failures. */
  circuits: z.array(
    z.object({
      tenant_name: z.string(),
      provider_instance_name: z.string(),
      model: z.string(),
      retry_at: instant,
    }),
  ),
  jobs: z.array(job),
  /** Last file written by `sluice backup`. `null` before the first backup. */
  backed_up_at: instant.nullable(),
  mails_waiting: z.number().int(),
  /** Emails that an administrator must forward, because no mail server is configured. */
  mails_held: z.number().int(),
  /** `null` until the job that checks the invariants has run. */
  invariants: z.object({
    ledger_drift_tenants: z.number().int().nullable(),
    allowance_drift: z.number().int().nullable(),
    lost_nodes: z.number().int().nullable(),
  }),
});

export type Operation = z.infer<typeof operation>;

const probe = { method: 'GET', base: '', surface: 'management', permission: 'anyone' } as const;

export const systemRoutes = defineRoutes({
  getHealth: {
    ...probe,
    path: '/healthz',
    summary: 'Check whether the process is alive; has no dependencies',
    response: z.object({ status: z.literal('ok') }),
  },
  getReadiness: {
    ...probe,
    path: '/readyz',
    summary:
      'Check whether the node accepts requests, and what is unavailable while it is degraded; 503 with the reason if it does not',
    response: z.object({
      status: z.literal('ready'),
      /** Set while the node runs without its database, on leases and cached data. */
      degraded: z
        .object({ reason: z.string(), detail: z.string(), failure: z.string().nullable() })
        .nullable(),
    }),
  },
  getMetrics: {
    ...probe,
    path: '/metrics',
    summary:
      "Get this node's metrics in Prometheus text format; requires SLUICE_METRICS_TOKEN as bearer token, and returns 401 if it is wrong or not set",
    response: z.string(),
    download: ['text/plain'],
  },
  getStatus: {
    method: 'GET',
    path: '/status',
    surface: 'management',
    permission: 'account.read',
    summary:
      'Get the version and build, the banners of the caller and, for super administrators, the state of the installation',
    response: z.object({
      version: z.string(),
      build: z.string().nullable(),
      banners: z.array(banner),
      /** `null` for all users except super administrators. */
      operation: operation.nullable(),
    }),
  },
  getOpenapi: {
    method: 'GET',
    path: '/openapi.json',
    surface: 'management',
    permission: 'anyone',
    summary: 'This document',
    isFixed: true,
    response: z.looseObject({ openapi: z.literal('3.1.0') }),
  },
});
