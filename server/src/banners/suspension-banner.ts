import type { Banner } from '@sluice/contract';
import { eq } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { tenants } from '#db/schema/tenants.ts';
import { because } from '#domain/access/check-caller.ts';

/** Returns the banner that users of a suspended tenant see on every page. */
export async function findSuspensionBanner(database: NodePgDatabase, tenantId: number): Promise<Banner[]> {
  const { name, status, suspensionReason, suspendedAt } = tenants;
  const [tenant] = await database
    .select({ name, status, suspensionReason, suspendedAt })
    .from(tenants)
    .where(eq(tenants.id, tenantId));
  if (tenant?.status !== 'suspended') return [];
  return [
    {
      id: `tenant-suspended:${tenantId}`,
      severity: 'error',
      message: `${tenant.name} is suspended${because(tenant.suspensionReason)}. New requests are refused; what is here can still be read. An administrator can pay under Tenant Credits.`,
      raised_at: (tenant.suspendedAt ?? new Date()).toISOString(),
    },
  ];
}
