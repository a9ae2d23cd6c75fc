import type { CurrentUser } from '@sluice/contract';
import { readPreferences } from '#console/preferences/read.ts';
import { readPermissions } from '#console/teams/read-permissions.ts';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { findTenant } from './store.ts';

/** Returns the caller, the effective tenant and the current permissions. */
export async function getCurrentUser({ principal, inTenant }: SignedInContext): Promise<CurrentUser> {
  const { tenant, preferences, permissions } = await inTenant(async (tx) => ({
    tenant: await findTenant(tx, principal.tenantId),
    preferences: await readPreferences(tx, principal),
    permissions: await readPermissions(tx, principal),
  }));
  if (!tenant) throw notFound('Tenant');
  return {
    id: principal.userId,
    name: principal.name,
    email: principal.email,
    role: { name: principal.role, permissions },
    tenant,
    preferences,
  };
}
