import { and, count, eq, ne } from 'drizzle-orm';
import { plans, subscriptions } from '#db/schema/subscriptions.ts';
import { tenants } from '#db/schema/tenants.ts';
import { roles, users } from '#db/schema/users.ts';
import type { SystemDatabase } from '#db/system.ts';

export type Plan = typeof plans.$inferSelect;

export async function findTenantSubscription(database: SystemDatabase, tenantId: number) {
  const [row] = await database
    .select({ tenantStatus: tenants.status, subscription: subscriptions, plan: plans })
    .from(tenants)
    .leftJoin(subscriptions, eq(subscriptions.tenantId, tenants.id))
    .leftJoin(plans, eq(plans.id, subscriptions.planId))
    .where(eq(tenants.id, tenantId));
  return row;
}

export async function findPlan(database: SystemDatabase, id: string): Promise<Plan | undefined> {
  const [row] = await database.select().from(plans).where(eq(plans.id, id));
  return row;
}

/**
 * Counts a tenant's active users. Super administrators and service accounts are excluded, because they do not count
 * toward the plan.
 */
export async function countPeople(database: SystemDatabase, tenantId: number) {
  const rows = await database
    .select({ role: roles.name, people: count() })
    .from(users)
    .innerJoin(roles, eq(roles.id, users.roleId))
    .where(
      and(
        eq(users.tenantId, tenantId),
        users.isActive,
        eq(users.kind, 'person'),
        ne(roles.name, 'super_admin'),
      ),
    )
    .groupBy(roles.name);
  const of = (role: 'admin' | 'user') => rows.find((row) => row.role === role)?.people ?? 0;
  return { users: of('user'), admins: of('admin') };
}
