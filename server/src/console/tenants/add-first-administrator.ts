import type { RoleName } from '@sluice/contract';
import { addPerson } from '#console/users/add-person.ts';
import type { SystemDatabase } from '#db/system.ts';
import { findRoleId } from './store.ts';

export interface FirstAdministrator {
  readonly role: Exclude<RoleName, 'user'>;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
}

const unlimited = { dailyQuota: null, monthlyQuota: null, requestsPerHour: null };

/**
 * Adds the first person of a tenant, who has no limits of their own; answers their id.
 * @throws ConsoleError 422 on `email` when somebody has the address, in whatever tenant.
 */
export async function addFirstAdministrator(
  tx: SystemDatabase,
  tenantId: number,
  administrator: FirstAdministrator,
): Promise<number> {
  const roleId = await findRoleId(tx, administrator.role);
  return addPerson(tx, { tenantId, roleId, ...administrator, quotas: unlimited });
}
