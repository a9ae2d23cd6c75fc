import type { RoleName } from '@sluice/contract';
import { countSeatsAlone } from '#console/users/take-seat.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { isSeatFree } from '#domain/seats.ts';
import { invalidField } from '#errors/console-error.ts';
import { countPendingOfRole } from './store.ts';

/**
 * Requires a seat that neither an active user nor a pending invitation holds; concurrent callers wait for this
 * transaction to end.
 * @throws ConsoleError 422 on `role` with what to do
 */
export async function requireSeatToInvite(
  tx: TenantTransaction,
  tenantId: number,
  role: RoleName,
): Promise<void> {
  const seats = await countSeatsAlone(tx, tenantId);
  const [limit, people] = role === 'admin' ? ['Admin', 'admins'] : ['User', 'users'];
  if (!isSeatFree(seats, role)) {
    throw invalidField('role', `${limit} limit reached. Upgrade your plan to create more ${people}.`);
  }
  const invited = await countPendingOfRole(tx, tenantId, role);
  const taken = { ...seats.taken, [role]: seats.taken[role] + invited };
  if (isSeatFree({ ...seats, taken }, role)) return;
  throw invalidField(
    'role',
    `${limit} limit reached: pending invitations hold the seats that are left. Cancel one, or upgrade your plan.`,
  );
}
