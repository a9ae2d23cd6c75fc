import type { Tenant, TenantDetails, tenantsRoutes } from '@sluice/contract';
import { countSeats } from '#console/users/create.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Author, Principal } from '#domain/principal.ts';
import { formatTotalCount } from '#domain/total-count.ts';
import { notFound } from '#errors/console-error.ts';
import type { RouteInput } from '#http/console-route.ts';
import { Page } from '#http/verbs.ts';
import { countTenants, findTenant, findTenantDetails, selectTenants, type TenantRow } from './store.ts';

export async function listTenants(
  tx: SystemDatabase,
  _author: Principal,
  { search, ...page }: RouteInput<typeof tenantsRoutes.listTenants>['query'],
): Promise<Page<Tenant[]>> {
  const totalCount = formatTotalCount(await countTenants(tx, search));
  return new Page((await selectTenants(tx, search, page)).map(toTenant), totalCount);
}

function toTenant({ createdAt, ...tenant }: TenantRow): Tenant {
  return { ...tenant, created_at: createdAt.toISOString() };
}

/** @throws ConsoleError 404 if the tenant does not exist */
export async function readTenant(database: SystemDatabase, tenantId: number): Promise<TenantDetails> {
  const row = await findTenantDetails(database, tenantId);
  if (!row) throw notFound('Tenant');
  const { taken } = await countSeats(database, tenantId);
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    status: row.status,
    created_at: row.createdAt.toISOString(),
    plan_id: row.planId,
    user_limit: row.userLimit,
    admin_limit: row.adminLimit,
    user_count: taken.user,
    admin_count: taken.admin,
    suspension_reason: row.suspensionReason,
    suspended_at: row.suspendedAt?.toISOString() ?? null,
  };
}

export async function getMyTenant(tx: TenantTransaction, author: Author): Promise<Tenant> {
  const row = await findTenant(tx, author.tenantId);
  if (!row) throw notFound('Tenant');
  return toTenant(row);
}
