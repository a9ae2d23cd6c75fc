import type { SystemDatabase } from '#db/system.ts';
import { notFound } from '#errors/console-error.ts';
import { findTenantOfUser } from './platform-store.ts';

/** The tenant of a person: an operator names people, who stand for their tenants. */
export async function requireTenantOfUser(system: SystemDatabase, userId: number): Promise<number> {
  const tenantId = await findTenantOfUser(system, userId);
  if (tenantId === undefined) throw notFound('User');
  return tenantId;
}
