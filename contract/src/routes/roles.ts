import { z } from 'zod';
import { roleNames } from '../permissions.ts';
import { defineRoutes } from '../route.ts';

/**
 * `current_count` and `max_allowed` are set only for the role `admin`. `limit` is set for each role with a maximum
 * number of active users. Its plan name is `null` if a super administrator set the maximum.
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

/** Every user who creates users may assign this role. It has the same id in all installations. */
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
    summary: 'List the roles and which of them the caller may assign',
    response: z.array(role),
  },
});
