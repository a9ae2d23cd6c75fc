import type { RoleName } from '@sluice/contract';
import { countSeatsAlone, requireFreeSeat } from '#console/users/take-seat.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { invalidField } from '#errors/console-error.ts';
import { countPending } from './store.ts';

/**
 * Locks the tenant's plan and requires a free seat for each open invitation of a role and one more.
 * @throws ConsoleError 422 on `role` without a free seat.
 */
export async function requireSeatToInvite(
  tx: TenantTransaction,
  tenantId: number,
  role: RoleName,
): Promise<void> {
  const { taken, limits } = await countSeatsAlone(tx, tenantId);
  await requireFreeSeat(tx, tenantId, role, 'role');
  const limit = limits[role];
  const invited = await countPending(tx, tenantId, role);
  if (limit === null || taken[role] + invited < limit) return;
  const noun = role === 'admin' ? 'administrators' : 'users';
  throw invalidField(
    'role',
    `Your plan allows ${limit} ${noun}: ${taken[role]} active and ${invited} invited. Cancel an invitation or upgrade your plan.`,
  );
}
