import { z } from 'zod';
import { instant, requestId } from '../ids.ts';
import { defineRoutes } from '../route.ts';

/** What a tenant has of what a first request needs; names are the first three of each. */
export const firstSteps = z.object({
  /** Active instances that enable a model; the built-in sandbox is none of one's own. */
  providers: z.array(z.string()),
  has_sandbox: z.boolean(),
  /** When a connection to a provider of one's own was last found good. */
  connection_tested_at: instant.nullable(),
  /** Active people besides the caller. */
  users: z.array(z.string()),
  /** Active people of role user who are granted a model, and those who have a task. */
  granted_users: z.array(z.string()),
  assigned_users: z.array(z.string()),
  /** People with a working API key that somebody has made; the one that the first start prints counts for none. */
  key_holders: z.array(z.string()),
  /** The newest request of late that a model has answered. */
  answered_request: z.object({ id: requestId, created_at: instant }).nullable(),
});

export type FirstSteps = z.infer<typeof firstSteps>;

export const firstStepsRoutes = defineRoutes({
  getFirstSteps: {
    method: 'GET',
    path: '/admin/first-steps',
    surface: 'management',
    permission: 'users.read',
    summary: 'How far the tenant is on its way to a first request',
    response: firstSteps,
  },
});
