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
  /** Absent is the default of a new user, `null` is unlimited. */
  quotas?: { [Quota in keyof typeof defaultQuotas]?: number | null | undefined };
}

/**
 * Adds a person to a tenant, who takes a seat of its plan; answers their id.
 * @throws ConsoleError 422 on `role_id` when no seat is left, on `email` when somebody has the address.
 */
export async function addPerson(
  tx: TenantTransaction,
  { role, quotas = {}, ...columns }: NewPerson,
): Promise<number> {
  await takeSeat(tx, columns.tenantId, role, 'role_id');
  const given = Object.entries(quotas).filter(([, quota]) => quota !== undefined);
  return insertUser(tx, { ...columns, ...defaultQuotas, ...Object.fromEntries(given) });
}
