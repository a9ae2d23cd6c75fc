import { z } from 'zod';
import { roleNames } from '../permissions.ts';
import { defineRoutes } from '../route.ts';

/** `current_count` and `max_allowed` are given for the role admin, which a plan may cap. */
export const role = z.object({
  id: z.number().int(),
  name: z.enum(roleNames),
  description: z.string(),
  can_assign: z.boolean(),
  current_count: z.number().int().optional(),
  max_allowed: z.number().int().nullable().optional(),
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
