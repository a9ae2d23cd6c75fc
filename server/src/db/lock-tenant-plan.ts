import { eq } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { tenants } from './schema/tenants.ts';

/**
 * Locks a tenant's plan until the transaction ends, by its row: limits, seats and administrators are counted and changed
 * under this lock only. Statements after it see what the previous holder committed.
 */
export async function lockTenantPlan(tx: NodePgDatabase, tenantId: number): Promise<void> {
  await tx.select({ id: tenants.id }).from(tenants).where(eq(tenants.id, tenantId)).for('no key update');
}
