import { z } from 'zod';
import { roleNames } from '../permissions.ts';
import { defineRoutes } from '../route.ts';

/**
 * `current_count` and `max_allowed` are given for the role admin; `limit` for each role of which the tenant may have so
 * many active people and no more, with the name of the plan that says so, `null` where a super administrator did.
 */
export const role = z.object({
  id: z.number().int(),
  name: z.enum(roleNames),
  description: z.string(),
  can_assign: z.boolean(),
  current_count: z.number().int().optional(),
  max_allowed: z.number().int().nullable().optional(),
  limit: z
    .object({ taken: z.number().int(), allowed: z.number().int(), plan: z.string().nullable() })
    .optional(),
});

export type Role = z.infer<typeof role>;

/** The role that everybody who creates users may give; its id is the same in every installation. */
export const userRole: Role = {
  id: 3,
  name: 'user',
  description: 'Standard user with task access only',
  can_assign: true,
};

export const rolesRoutes = defineRoutes({
  listRoles: {
    method: 'GET',
    path: '/admin/roles',
    surface: 'management',
    permission: 'users.read',
    summary: 'The roles, and which of them the caller may assign',
    response: z.array(role),
  },
});
