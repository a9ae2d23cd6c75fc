import { z } from 'zod';
import { instant, requestId } from '../ids.ts';
import { defineRoutes } from '../route.ts';

/** Progress of a tenant toward its first request; lists contain the first four names. */
export const firstSteps = z.object({
  /** Active instances with an enabled model, without the built-in sandbox. */
  providers: z.array(z.string()),
  has_sandbox: z.boolean(),
  /** When a connection to one of the tenant's own providers was last tested successfully. */
  connection_tested_at: instant.nullable(),
  /** Active users other than the caller. */
  users: z.array(z.string()),
  /** Active users with the role user who are granted a model, and those who have a task. */
  granted_users: z.array(z.string()),
  assigned_users: z.array(z.string()),
  /** Users with a working API key that was created by a user; the key printed at first start is not counted. */
  key_holders: z.array(z.string()),
  /** Newest of the recent requests with a successful response. */
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
