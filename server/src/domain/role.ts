import type { RoleName } from '@sluice/contract';

const managedRoles: Record<RoleName, readonly RoleName[]> = {
  super_admin: ['super_admin', 'admin', 'user'],
  admin: ['admin', 'user'],
  user: [],
};

export function mayManage(actor: RoleName, role: RoleName): boolean {
  return managedRoles[actor].includes(role);
}
