import { isAboutTenant, type RouteRow, tenantHeader } from '@sluice/contract';
import { isAllowed, type Principal } from '#domain/principal.ts';
import { ConsoleError, notFound } from '#errors/console-error.ts';

/** Returns `null` if no tenant has this id or slug. */
export type FindTenantId = (idOrSlug: string) => number | null;

/**
 * Returns the principal in the tenant named by the tenant header, if the route supports this. The user remains the
 * same, including in the audit log.
 * @throws ConsoleError 403 if the caller is not a super administrator, 404 if the tenant is unknown
 */
export function actForTenant(
  row: RouteRow,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  principal: Principal,
  findTenantId: FindTenantId,
): Principal {
  const named = headers[tenantHeader];
  if (named !== undefined && row.inOwnTenant) requireOwnTenant(findTenantId(String(named).trim()), principal);
  if (named === undefined || !isAboutTenant(row)) return principal;
  if (!isAllowed(principal, 'super_admin')) {
    throw new ConsoleError(403, 'Only a super administrator may act for another tenant');
  }
  const tenantId = findTenantId(String(named).trim());
  if (tenantId === null) throw notFound('Tenant');
  return { ...principal, tenantId };
}

function requireOwnTenant(tenantId: number | null, principal: Principal): void {
  if (tenantId === principal.tenantId) return;
  throw new ConsoleError(
    403,
    'This action is only possible in your own tenant. Stop acting for another tenant and try again.',
  );
}
