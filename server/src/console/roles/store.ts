import { asc, eq } from 'drizzle-orm';
import { plans } from '#db/schema/plans.ts';
import { roles } from '#db/schema/roles.ts';
import { tenants } from '#db/schema/tenants.ts';
import type { TenantTransaction } from '#db/tenant.ts';

export function selectRoles(tx: TenantTransaction) {
  return tx.select().from(roles).orderBy(asc(roles.id));
}

/** Returns the name of a tenant's plan; `null` if the tenant has custom limits or no limits. */
export async function findPlanName(tx: TenantTransaction, tenantId: number): Promise<string | null> {
  const [row] = await tx
    .select({ name: plans.name })
    .from(tenants)
    .innerJoin(plans, eq(plans.id, tenants.planId))
    .where(eq(tenants.id, tenantId));
  return row?.name ?? null;
}
