import type { RoleName } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import { defaultQuotas } from '#domain/quota.ts';
import { insertUser } from './store.ts';
import { takeSeat } from './take-seat.ts';

export interface NewPerson {
  tenantId: number;
  roleId: number;
  role: RoleName;
  email: string;
  name: string;
  passwordHash: string;
  /** Absent means the default of a new user, `null` unlimited. */
  quotas?: { [Quota in keyof typeof defaultQuotas]?: number | null | undefined };
}

/**
 * Adds a user who takes a seat of the tenant's plan and returns the id.
 * @throws ConsoleError 422 on `role_id` without a free seat, on `email` if it is taken.
 */
export async function addPerson(
  tx: TenantTransaction,
  { role, quotas = {}, ...columns }: NewPerson,
): Promise<number> {
  await takeSeat(tx, columns.tenantId, role, 'role_id');
  const given = Object.entries(quotas).filter(([, quota]) => quota !== undefined);
  return insertUser(tx, { ...columns, ...defaultQuotas, ...Object.fromEntries(given) });
}
