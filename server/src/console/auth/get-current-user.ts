import type { CurrentUser } from '@sluice/contract';
import { readPreferences } from '#console/preferences/preferences.ts';
import { readPermissions } from '#console/teams/read-permissions.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { notFound } from '#errors/console-error.ts';
import { findTenant } from './store.ts';

export async function getCurrentUser(tx: TenantTransaction, author: Principal): Promise<CurrentUser> {
  const tenant = await findTenant(tx, author.tenantId);
  const preferences = await readPreferences(tx, author);
  const permissions = await readPermissions(tx, author);
  if (!tenant) throw notFound('Tenant');
  const { isOn, isRequired } = author.secondFactor ?? { isOn: false, isRequired: false };
  return {
    id: author.userId,
    name: author.name,
    email: author.email,
    role: { name: author.role, permissions },
    tenant,
    second_factor: { is_on: isOn, is_required: isRequired },
    preferences,
  };
}
