import type { Role } from '@sluice/contract';
import { countSeats } from '#console/users/take-seat.ts';
import { mayManage } from '#domain/role.ts';
import { isSeatFree } from '#domain/seats.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { selectRoles } from './store.ts';

/** The roles; one can be assigned when the caller may give it and the tenant's plan has a seat left. */
export async function listRoles(ctx: SignedInContext): Promise<Role[]> {
  const { role: actor, tenantId } = ctx.principal;
  return ctx.inTenant(async (tx) => {
    const seats = await countSeats(tx, tenantId);
    const rows = await selectRoles(tx);
    return rows.map((role) => ({
      ...role,
      can_assign: mayManage(actor, role.name) && isSeatFree(seats, role.name),
      ...(role.name === 'admin' ? { current_count: seats.taken.admin, max_allowed: seats.limits.admin } : {}),
    }));
  });
}
