import type { Tenant, tenantsRoutes } from '@sluice/contract';
import type { SystemDatabase } from '#db/system.ts';
import { formatTotalCount } from '#domain/total-count.ts';
import type { RouteInput, SignedInContext } from '#http/console-route.ts';
import { countTenants, selectTenants, type TenantRow } from './store.ts';

/** Lists a page of all tenants by name, for super administrators. */
export async function listTenants(
  system: SystemDatabase,
  ctx: SignedInContext,
  { search, ...page }: RouteInput<typeof tenantsRoutes.listTenants>['query'],
): Promise<Tenant[]> {
  ctx.setHeader('x-total-count', formatTotalCount(await countTenants(system, search)));
  return (await selectTenants(system, search, page)).map(toTenant);
}

export function toTenant({ createdAt, ...tenant }: TenantRow): Tenant {
  return { ...tenant, created_at: createdAt.toISOString() };
}
