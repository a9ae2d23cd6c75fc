import type { RoleName } from '@sluice/contract';
import { sql } from 'drizzle-orm';
import type { TenantTransaction } from '#db/tenant.ts';

/** Returns all users of the tenant by id; those who may not send requests have no role. */
export async function selectSenders(tx: TenantTransaction, tenantId: number) {
  const { rows } = await tx.execute<{ id: number; name: string; role: RoleName | null }>(sql`
    SELECT u.id, u.name, CASE WHEN u.is_active AND NOT u.is_blocked THEN r.name END AS role
    FROM users u JOIN roles r ON r.id = u.role_id WHERE u.tenant_id = ${tenantId}`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns whether the tenant may spend credits, and the markup. */
export async function findSpending(tx: TenantTransaction, tenantId: number) {
  const { rows } = await tx.execute<{ isAllowed: boolean; markupPercent: number }>(sql`
    SELECT t.is_service_spending_allowed AS "isAllowed", s.markup_percentage::float8 AS "markupPercent"
    FROM tenants t, platform_settings s WHERE t.id = ${tenantId}`);
  return rows[0] ?? { isAllowed: false, markupPercent: 0 };
}
