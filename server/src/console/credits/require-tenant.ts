import type { SystemDatabase } from '#db/system.ts';
import { notFound } from '#errors/console-error.ts';
import { findTenantOfUser } from './platform-store.ts';

/** Returns the tenant of a user: operators select a tenant by one of its users. */
export async function requireTenantOfUser(system: SystemDatabase, userId: number): Promise<number> {
  const tenantId = await findTenantOfUser(system, userId);
  if (tenantId === undefined) throw notFound('User');
  return tenantId;
}
