import { asc, count, eq, ilike, or, type SQL, sql } from 'drizzle-orm';
import { tenants } from '#db/schema/tenants.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { containsPattern } from '#domain/like-pattern.ts';
import { totalCountMax } from '#domain/total-count.ts';

const tenantColumns = {
  id: tenants.id,
  name: tenants.name,
  slug: tenants.slug,
  status: tenants.status,
  createdAt: tenants.createdAt,
};

export async function findTenant(tx: TenantTransaction, tenantId: number) {
  const [row] = await tx.select(tenantColumns).from(tenants).where(eq(tenants.id, tenantId));
  return row;
}

export type TenantRow = NonNullable<Awaited<ReturnType<typeof findTenant>>>;

/** Tenants whose name or slug holds a text. */
export function selectTenants(
  database: SystemDatabase,
  search: string | undefined,
  page: { skip: number; limit: number },
): Promise<TenantRow[]> {
  return database
    .select(tenantColumns)
    .from(tenants)
    .where(isCalled(search))
    .orderBy(asc(sql`lower(${tenants.name})`), asc(tenants.id))
    .offset(page.skip)
    .limit(page.limit);
}

export async function countTenants(database: SystemDatabase, search: string | undefined): Promise<number> {
  const counted = database
    .select({ id: tenants.id })
    .from(tenants)
    .where(isCalled(search))
    .limit(totalCountMax + 1)
    .as('counted');
  const [row] = await database.select({ total: count() }).from(counted);
  return row?.total ?? 0;
}

function isCalled(search: string | undefined): SQL | undefined {
  if (search === undefined) return undefined;
  const pattern = containsPattern(search);
  return or(ilike(tenants.name, pattern), ilike(tenants.slug, pattern));
}
