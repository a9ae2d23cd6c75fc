import { asc } from 'drizzle-orm';
import { roles } from '#db/schema/roles.ts';
import type { TenantTransaction } from '#db/tenant.ts';

export function selectRoles(tx: TenantTransaction) {
  return tx.select().from(roles).orderBy(asc(roles.id));
}
