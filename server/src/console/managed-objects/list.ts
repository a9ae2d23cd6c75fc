import type { ManagedObjects } from '@sluice/contract';
import { sql } from 'drizzle-orm';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';

export async function listManagedObjects(
  tx: TenantTransaction,
  { tenantId }: Principal,
): Promise<ManagedObjects[]> {
  const { rows } = await tx.execute<ManagedObjects & Record<string, unknown>>(sql`
    SELECT kind, file, count(*)::integer AS objects FROM managed_objects WHERE tenant_id = ${tenantId}
    GROUP BY kind, file ORDER BY kind, file`);
  return rows;
}
