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
 * Adds the first user of a tenant, without limits, and returns the id.
 * @throws ConsoleError 422 on `email` if it is taken in any tenant.
 */
export async function addFirstAdministrator(
  tx: SystemDatabase,
  tenantId: number,
  administrator: FirstAdministrator,
): Promise<number> {
  const roleId = await findRoleId(tx, administrator.role);
  return addPerson(tx, { tenantId, roleId, ...administrator, quotas: unlimited });
}
