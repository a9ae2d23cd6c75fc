import type { BilledTenant } from '@sluice/contract';
import { listTenantAccounts } from '#console/credits/list-accounts.ts';
import { toCreditBalance } from '#console/credits/to-resources.ts';
import type { SystemDatabase } from '#db/system.ts';

/** All tenants with their credits. */
export async function listBilledTenants(system: SystemDatabase): Promise<BilledTenant[]> {
  const all = await listTenantAccounts(system);
  return all.map(({ tenant, account }) => ({
    id: tenant.id,
    name: tenant.name,
    slug: tenant.slug,
    status: tenant.status,
    created_at: tenant.createdAt.toISOString(),
    user_count: tenant.userCount,
    ...toCreditBalance(account, tenant),
  }));
}
