import type { RoleName } from '@sluice/contract';

const managedRoles: Record<RoleName, readonly RoleName[]> = {
  super_admin: ['super_admin', 'admin', 'user'],
  admin: ['admin', 'user'],
  user: [],
};

/** Whether a person of one role may give another role to somebody, or act on a person who has it. */
export function mayManage(actor: RoleName, role: RoleName): boolean {
  return managedRoles[actor].includes(role);
}
