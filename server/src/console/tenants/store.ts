import { eq } from 'drizzle-orm';
import { tenants } from '#db/schema/tenants.ts';
import type { TenantTransaction } from '#db/tenant.ts';

export async function findTenant(tx: TenantTransaction, tenantId: number) {
  const [row] = await tx
    .select({
      id: tenants.id,
      name: tenants.name,
      slug: tenants.slug,
      status: tenants.status,
      createdAt: tenants.createdAt,
    })
    .from(tenants)
    .where(eq(tenants.id, tenantId));
  return row;
}
