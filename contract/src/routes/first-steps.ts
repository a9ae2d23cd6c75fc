import { z } from 'zod';
import { instant, requestId } from '../ids.ts';
import { defineRoutes } from '../route.ts';

/** Lists contain the first four names. */
export const firstSteps = z.object({
  /** Contains active instances with an enabled model. Excludes the built-in sandbox. */
  providers: z.array(z.string()),
  has_sandbox: z.boolean(),
  /** Last successful test of one of the tenant's own providers. */
  connection_tested_at: instant.nullable(),
  users: z.array(z.string()),
  /** Active users with the role `user` who have a model grant, and those who have a task. */
  granted_users: z.array(z.string()),
  assigned_users: z.array(z.string()),
  /** Users with a working API key that a user created. The key printed at first start is not counted. */
  key_holders: z.array(z.string()),
  /** Newest recent request with a successful response. */
  answered_request: z.object({ id: requestId, created_at: instant }).nullable(),
});

export type FirstSteps = z.infer<typeof firstSteps>;

export const firstStepsRoutes = defineRoutes({
  getFirstSteps: {
    method: 'GET',
    path: '/admin/first-steps',
    surface: 'management',
    permission: 'users.read',
    summary: "Get the tenant's progress toward its first request",
    response: firstSteps,
  },
});
