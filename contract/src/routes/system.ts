import { z } from 'zod';
import { instant } from '../ids.ts';
import { defineRoutes } from '../route.ts';
import { job } from './jobs.ts';

export const bannerSeverities = ['info', 'warning', 'error'] as const;

/** What a person who signs in should know about the installation at the moment. */
export const banner = z.object({
  id: z.string(),
  severity: z.enum(bannerSeverities),
  message: z.string(),
  raised_at: instant,
});

export type Banner = z.infer<typeof banner>;

/** What a node says of itself every few seconds. */
export const nodeReport = z.object({
  version: z.string(),
  started_at: instant,
  /** How many there should be, and how many take requests. */
  workers: z.number().int(),
  workers_ready: z.number().int(),
  /** Why a worker takes no requests. */
  unready_reason: z.string().nullable(),
  requests_in_flight: z.number().int(),
  /** What is on its disk and not yet in the database, and for how long. */
  journal_backlog_bytes: z.number(),
  journal_backlog_age_seconds: z.number(),
  circuits_open: z.number().int(),
  memory_bytes: z.number(),
});

export type NodeReport = z.infer<typeof nodeReport>;

/** How the installation does. */
export const operation = z.object({
  nodes: z.array(nodeReport.extend({ name: z.string(), seen_at: instant, is_asked: z.boolean() })),
  database: z.object({
    version: z.string(),
    size_bytes: z.number(),
    connections: z.number().int(),
    connections_max: z.number().int(),
  }),
  /** Models of instances that are not called just now. */
  circuits: z.array(
    z.object({
      tenant_name: z.string(),
      provider_instance_name: z.string(),
      model: z.string(),
      retry_at: instant,
    }),
  ),
  jobs: z.array(job),
  /** When `sluice backup` last wrote a file; `null` if it never has. */
  backed_up_at: instant.nullable(),
  mails_waiting: z.number().int(),
  /** `null` until the job that finds out has run. */
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
    summary: 'Whether the process lives; touches nothing else',
    response: z.object({ status: z.literal('ok') }),
  },
  getReadiness: {
    ...probe,
    path: '/readyz',
    summary:
      'Whether the node takes requests, and what it lacks while it is degraded; 503 with the reason when it does not',
    response: z.object({
      status: z.literal('ready'),
      /** Set while the node serves from leases and memory without its database. */
      degraded: z
        .object({ reason: z.string(), detail: z.string(), failure: z.string().nullable() })
        .nullable(),
    }),
  },
  getMetrics: {
    ...probe,
    path: '/metrics',
    summary:
      'What this node has counted, as Prometheus text, for the bearer of SLUICE_METRICS_TOKEN; 401 for all others, and where none is set',
    response: z.string(),
    download: ['text/plain'],
  },
  getStatus: {
    method: 'GET',
    path: '/status',
    surface: 'management',
    permission: 'account.read',
    summary:
      'The version and its build, the banners that the console shows to this person on every page, and for super administrators how the installation does',
    response: z.object({
      version: z.string(),
      build: z.string().nullable(),
      banners: z.array(banner),
      /** `null` for all but super administrators. */
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
