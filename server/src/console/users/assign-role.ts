import type { RoleName } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { mayManage } from '#domain/role.ts';
import { ConsoleError, invalidField } from '#errors/console-error.ts';
import { findRole } from './store.ts';

/** @throws ConsoleError 422 for an unknown role, 403 for one that the caller may not assign. */
export async function requireAssignableRole(
  tx: TenantTransaction,
  principal: Principal,
  roleId: number,
): Promise<RoleName> {
  const role = await findRole(tx, roleId);
  if (!role) throw invalidField('role_id', 'Role selection is required');
  requireMayAssign(principal, role);
  return role;
}

/** @throws ConsoleError 403 for a role that the caller may not assign. */
export function requireMayAssign(principal: Principal, role: RoleName): void {
  if (mayManage(principal.role, role)) return;
  throw new ConsoleError(403, `Only a super administrator may assign the role ${role}`);
}
