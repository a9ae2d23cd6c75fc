import { z } from 'zod';
import { ids, instant } from '../ids.ts';
import { defineRoutes } from '../route.ts';

/** All filters must match. Without filters, all requests of the tenant are counted. */
const subject = z.strictObject({
  user_id: ids.optional(),
  team_id: ids.optional(),
  task_id: ids.optional(),
  api_key_id: ids.optional(),
  llm_provider_id: ids.optional(),
  provider_key: z.string().min(1).max(100).optional(),
  /** Name or blacklist pattern; used with `provider_key`. */
  model_pattern: z.string().min(1).max(200).optional(),
});

/** Covers the last 24 hours, without rejected requests. */
export const recentUse = z.object({
  requests: z.number().int(),
  /** False if only the newest requests were counted. */
  is_exact: z.boolean(),
  users: z.number().int(),
  last_request_at: instant.nullable(),
});

export type RecentUse = z.infer<typeof recentUse>;

export const recentUseRoutes = defineRoutes({
  getRecentUse: {
    method: 'GET',
    path: '/admin/recent-use',
    surface: 'management',
    permission: 'logs.read',
    summary: 'Count the requests of the last 24 hours that used a key, grant, task, team, provider or model',
    request: { query: subject },
    response: recentUse,
  },
});
