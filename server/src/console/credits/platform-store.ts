import { and, asc, count, eq } from 'drizzle-orm';
import { roles } from '#db/schema/roles.ts';
import { tenants } from '#db/schema/tenants.ts';
import { users } from '#db/schema/users.ts';
import type { SystemDatabase } from '#db/system.ts';

/** Finds the tenant of a user in any tenant. */
export async function findTenantOfUser(
  database: SystemDatabase,
  userId: number,
): Promise<number | undefined> {
  const [row] = await database.select({ tenantId: users.tenantId }).from(users).where(eq(users.id, userId));
  return row?.tenantId;
}

export function selectTenants(database: SystemDatabase) {
  return database
    .select({
      id: tenants.id,
      name: tenants.name,
      slug: tenants.slug,
      status: tenants.status,
      createdAt: tenants.createdAt,
      lowBalanceThreshold: tenants.lowBalanceThreshold,
      isServiceSpendingAllowed: tenants.isServiceSpendingAllowed,
      userCount: count(users.id),
    })
    .from(tenants)
    .leftJoin(users, eq(users.tenantId, tenants.id))
    .groupBy(tenants.id)
    .orderBy(tenants.id);
}

/** Returns the longest-serving active administrator of each tenant. */
export function selectFirstAdmins(database: SystemDatabase) {
  return database
    .selectDistinctOn([users.tenantId], {
      tenantId: users.tenantId,
      id: users.id,
      name: users.name,
      email: users.email,
    })
    .from(users)
    .innerJoin(roles, eq(roles.id, users.roleId))
    .where(and(eq(roles.name, 'admin'), eq(users.isActive, true)))
    .orderBy(asc(users.tenantId), asc(users.id));
}
