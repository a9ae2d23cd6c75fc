import type { Tenant } from '@sluice/contract';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { toTenant } from './list.ts';
import { findTenant } from './store.ts';

export async function getMyTenant({ principal, inTenant }: SignedInContext): Promise<Tenant> {
  const row = await inTenant((tx) => findTenant(tx, principal.tenantId));
  if (!row) throw notFound('Tenant');
  return toTenant(row);
}
