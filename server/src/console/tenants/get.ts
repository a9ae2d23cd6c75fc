import type { TenantDetails } from '@sluice/contract';
import { countSeats } from '#console/users/take-seat.ts';
import type { SystemDatabase } from '#db/system.ts';
import { notFound } from '#errors/console-error.ts';
import { findTenantDetails } from './store.ts';

/**
 * Returns a tenant as super administrators see it.
 * @throws ConsoleError 404 if it does not exist.
 */
export async function readTenant(database: SystemDatabase, tenantId: number): Promise<TenantDetails> {
  const row = await findTenantDetails(database, tenantId);
  if (!row) throw notFound('Tenant');
  const { taken } = await countSeats(database, tenantId);
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    status: row.status,
    created_at: row.createdAt.toISOString(),
    plan_id: row.planId,
    user_limit: row.userLimit,
    admin_limit: row.adminLimit,
    user_count: taken.user,
    admin_count: taken.admin,
    suspension_reason: row.suspensionReason,
    suspended_at: row.suspendedAt?.toISOString() ?? null,
  };
}
