import type { Role, RoleName } from '@sluice/contract';
import { countSeats } from '#console/users/take-seat.ts';
import { mayManage } from '#domain/role.ts';
import { isSeatFree, type Seats } from '#domain/seats.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { findPlanName, selectRoles } from './store.ts';

/** Lists the roles. A role is assignable if the caller may assign it and the tenant's plan has a free seat. */
export async function listRoles(ctx: SignedInContext): Promise<Role[]> {
  const { role: actor, tenantId } = ctx.principal;
  return ctx.inTenant(async (tx) => {
    const seats = await countSeats(tx, tenantId);
    const plan = await findPlanName(tx, tenantId);
    const rows = await selectRoles(tx);
    return rows.map((role) => ({
      ...role,
      can_assign: mayManage(actor, role.name) && isSeatFree(seats, role.name),
      ...(role.name === 'admin' ? { current_count: seats.taken.admin, max_allowed: seats.limits.admin } : {}),
      ...limitOf(seats, role.name, plan),
    }));
  });
}

function limitOf({ taken, limits }: Seats, role: RoleName, plan: string | null): Pick<Role, 'limit'> {
  const allowed = limits[role];
  return allowed === null ? {} : { limit: { taken: taken[role], allowed, plan } };
}
