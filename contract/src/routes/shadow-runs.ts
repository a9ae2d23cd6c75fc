import { z } from 'zod';
import { decimalNumber } from '../decimal-number.ts';
import { id, idParams, instant } from '../ids.ts';
import { usd } from '../money.ts';
import { pageQuery } from '../pagination.ts';
import { defineRoutes } from '../route.ts';

/** Limit per tenant. A run beyond the maximum replaces the oldest run. */
export const shadowRunsMax = 20;

export const shadowRequestsMax = 200_000;

export const shadowSources = ['file', 'mirror', 'log'] as const;

export type ShadowSource = (typeof shadowSources)[number];

export const shadowDifferences = [
  'none',
  'refused_here',
  'refused_there',
  'other_model',
  'other_cost',
  'not_compared',
] as const;

/**
 * `other_cost`: both serve the same model, and the costs differ by more than 1%. `not_compared`: the other gateway's
 * log has no such request, or it failed at the provider.
 */
export type ShadowDifference = (typeof shadowDifferences)[number];

const count = z.number().int();

const sums = {
  requests: count,
  none: count,
  refused_here: count,
  refused_there: count,
  other_model: count,
  other_cost: count,
  not_compared: count,
  /** Covers requests that both gateways serve and whose cost is known at both. */
  cost_usd: usd,
  other_cost_usd: usd,
};

export const shadowRun = z.object({
  id: count,
  name: z.string(),
  source: z.enum(shadowSources),
  /** URL without credentials. `null` if the other gateway's log was not given. */
  compared_with: z.string().nullable(),
  started_at: instant,
  /** `null` while the run is in progress. */
  ended_at: instant.nullable(),
  first_request_at: instant.nullable(),
  last_request_at: instant.nullable(),
  ...sums,
});

export type ShadowRun = z.infer<typeof shadowRun>;

/** Contains the groups with the most requests. */
const grouped = <Key extends z.ZodRawShape>(key: Key) => z.array(z.object({ ...key, ...sums }));

export const shadowSummary = z.object({
  run: shadowRun,
  /** Requests that this gateway would reject, by error code. */
  refusals: z.array(z.object({ error_code: z.string(), requests: count, users: count })),
  models: grouped({ model_requested: z.string() }),
  users: grouped({
    user_id: count.nullable(),
    user_name: z.string().nullable(),
    user_email: z.string().nullable(),
  }),
});

export type ShadowSummary = z.infer<typeof shadowSummary>;

export const shadowRequest = z.object({
  position: count,
  requested_at: instant,
  /** `null` if the caller is unknown to this gateway or deleted. */
  user_id: count.nullable(),
  user_name: z.string().nullable(),
  user_email: z.string().nullable(),
  path: z.string(),
  model_requested: z.string(),
  /** `null` if this gateway would serve the request. */
  error_code: z.string().nullable(),
  message: z.string().nullable(),
  /** Instance and model that would serve the request at this gateway. */
  provider_name: z.string().nullable(),
  model: z.string().nullable(),
  intent: z.string().nullable(),
  score_after: z.number().nullable(),
  input_tokens: count.nullable(),
  output_tokens: count.nullable(),
  cost_usd: usd.nullable(),
  /** `null` if the other gateway's log has no such request. */
  other_outcome: z.enum(['served', 'refused', 'failed']).nullable(),
  other_request_id: z.string().nullable(),
  other_model: z.string().nullable(),
  other_cost_usd: usd.nullable(),
  difference: z.enum(shadowDifferences),
});

export type ShadowRequest = z.infer<typeof shadowRequest>;

const filters = {
  difference: z.enum(shadowDifferences).optional(),
  error_code: z.string().max(100).optional(),
  model_requested: z.string().max(200).optional(),
  user_id: id.optional(),
};

export const shadowRunsRoutes = defineRoutes({
  listShadowRuns: {
    method: 'GET',
    path: '/admin/shadow-runs',
    surface: 'management',
    permission: 'logs.read',
    summary: 'List shadow runs, newest first',
    response: z.array(shadowRun),
  },
  getShadowRun: {
    method: 'GET',
    path: '/admin/shadow-runs/{id}',
    surface: 'management',
    permission: 'logs.read',
    summary:
      'Get the sums of a shadow run: refusals by error code, and the 20 models and users with the most requests',
    request: { params: idParams },
    response: shadowSummary,
  },
  listShadowRequests: {
    method: 'GET',
    path: '/admin/shadow-runs/{id}/requests',
    surface: 'management',
    permission: 'logs.read',
    summary:
      'List the requests of a shadow run in the order received, as JSON or as a CSV file of all matching requests',
    request: {
      params: idParams,
      query: z.strictObject({
        ...filters,
        ...pageQuery(100),
        /** Returns only requests after this position. */
        after: decimalNumber(z.int().min(0).max(2_147_483_647)).optional(),
        format: z.enum(['json', 'csv']).default('json'),
      }),
    },
    response: z.array(shadowRequest),
    offersFile: ['text/csv'],
  },
  deleteShadowRun: {
    method: 'DELETE',
    path: '/admin/shadow-runs/{id}',
    surface: 'management',
    permission: 'settings.write',
    summary: 'Delete a shadow run with its requests',
    request: { params: idParams },
    response: z.object({ message: z.string() }),
  },
});
