import { asc, eq } from 'drizzle-orm';
import { plans } from '#db/schema/plans.ts';
import { roles } from '#db/schema/roles.ts';
import { tenants } from '#db/schema/tenants.ts';
import type { TenantTransaction } from '#db/tenant.ts';

export function selectRoles(tx: TenantTransaction) {
  return tx.select().from(roles).orderBy(asc(roles.id));
}

/** What the plan of a tenant is called; `null` where it has limits of its own, or none. */
export async function findPlanName(tx: TenantTransaction, tenantId: number): Promise<string | null> {
  const [row] = await tx
    .select({ name: plans.name })
    .from(tenants)
    .innerJoin(plans, eq(plans.id, tenants.planId))
    .where(eq(tenants.id, tenantId));
  return row?.name ?? null;
}
