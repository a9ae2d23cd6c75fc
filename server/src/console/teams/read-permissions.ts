import { type Permission, permissionsOfRole } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import { isAllowed, type Principal } from '#domain/principal.ts';
import { managesAllTeams } from './read.ts';
import { selectTeams } from './store.ts';

/**
 * Returns a user's current permissions: those of the role, except permissions removed by a block or by a key's
 * scopes. Includes `teams.manage` only if the user administers a team.
 */
export async function readPermissions(tx: TenantTransaction, principal: Principal): Promise<Permission[]> {
  const permissions = permissionsOfRole(principal.role).filter((right) => isAllowed(principal, right));
  if (managesAllTeams(principal) || !permissions.includes('teams.manage')) return permissions;
  const filters = { managerId: principal.userId };
  const teams = await selectTeams(tx, principal.tenantId, filters, { skip: 0, limit: 1 });
  return teams.length > 0 ? permissions : permissions.filter((right) => right !== 'teams.manage');
}
