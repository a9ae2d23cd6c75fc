import type { Role, RoleName } from '@sluice/contract';
import { asc, eq } from 'drizzle-orm';
import { countSeats } from '#console/users/create.ts';
import { plans } from '#db/schema/subscriptions.ts';
import { tenants } from '#db/schema/tenants.ts';
import { roles } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { mayManage } from '#domain/role.ts';
import { isSeatFree, type Seats } from '#domain/seats.ts';

/** A role is assignable if the caller may assign it and the tenant's plan has a free seat for it. */
export async function listRoles(tx: TenantTransaction, author: Principal): Promise<Role[]> {
  const { role: actor, tenantId } = author;
  const seats = await countSeats(tx, tenantId);
  const plan = await findPlanName(tx, tenantId);
  const rows = await selectRoles(tx);
  return rows.map((role) => ({
    ...role,
    can_assign: mayManage(actor, role.name) && isSeatFree(seats, role.name),
    ...(role.name === 'admin' ? { current_count: seats.taken.admin, max_allowed: seats.limits.admin } : {}),
    ...limitOf(seats, role.name, plan),
  }));
}

function limitOf({ taken, limits }: Seats, role: RoleName, plan: string | null): Pick<Role, 'limit'> {
  const allowed = limits[role];
  return allowed === null ? {} : { limit: { taken: taken[role], allowed, plan } };
}

function selectRoles(tx: TenantTransaction) {
  return tx.select().from(roles).orderBy(asc(roles.id));
}

/** Returns the name of a tenant's plan; `null` if the tenant has custom limits or no limits. */
async function findPlanName(tx: TenantTransaction, tenantId: number): Promise<string | null> {
  const [row] = await tx
    .select({ name: plans.name })
    .from(tenants)
    .innerJoin(plans, eq(plans.id, tenants.planId))
    .where(eq(tenants.id, tenantId));
  return row?.name ?? null;
}
