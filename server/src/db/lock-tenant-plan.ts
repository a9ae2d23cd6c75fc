import { eq } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { tenants } from './schema/tenants.ts';

/**
 * Limits, seats and administrators are counted and changed only under this lock. Later statements see the changes of
 * the previous lock holder.
 */
export async function lockTenantPlan(tx: NodePgDatabase, tenantId: number): Promise<void> {
  await tx.select({ id: tenants.id }).from(tenants).where(eq(tenants.id, tenantId)).for('no key update');
}
