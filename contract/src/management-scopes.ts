import { type Permission, permissionsOfRole, type RoleName } from './permissions.ts';
import type { RouteRow } from './route.ts';

/** Each management route requires the scope that follows from its permission. */
export const managementScopes = [
  'account:read',
  'account:write',
  'analytics:read',
  'api-keys:write',
  'audit:read',
  'blacklist:read',
  'blacklist:write',
  'budgets:read',
  'budgets:write',
  'credits:read',
  'credits:write',
  'governance:read',
  'governance:write',
  'logs:read',
  'platform:read',
  'platform:write',
  'provider-access:read',
  'provider-access:write',
  'providers:read',
  'providers:write',
  'scim',
  'settings:read',
  'settings:write',
  'tasks:read',
  'tasks:write',
  'teams:read',
  'teams:write',
  'users:read',
  'users:write',
] as const;

export type ManagementScope = (typeof managementScopes)[number];

type ScopedRow = Pick<RouteRow, 'surface' | 'permission' | 'method' | 'inOwnTenant' | 'refusesTokens'>;

/** Permissions that cover both reading and writing. The HTTP method determines the scope. */
const splitByMethod: Readonly<Record<string, string>> = {
  'account.read': 'account',
  // Applies to the caller's comparisons. Routes that call models are `inOwnTenant` and accept no tokens.
  'completions.create': 'account',
  super_admin: 'platform',
  'teams.manage': 'teams',
};

/** Returns `null` for routes that need no credentials or do not accept tokens. */
export function scopeOf({
  surface,
  permission,
  method,
  inOwnTenant,
  refusesTokens,
}: ScopedRow): ManagementScope | null {
  if (surface === 'scim') return 'scim';
  if (surface !== 'management' || permission === 'anyone' || inOwnTenant || refusesTokens) return null;
  const resource = splitByMethod[permission];
  const scope = resource ? `${resource}:${method === 'GET' ? 'read' : 'write'}` : toScope(permission);
  return managementScopes.find((listed) => listed === scope) ?? null;
}

const toScope = (permission: string) => permission.replace('.', ':').replaceAll('_', '-');

const scimPermissions: readonly Permission[] = ['users.read', 'users.write', 'teams.write'];

/** Returns the scopes of the routes that the role may use. */
export function scopesOfRole(role: RoleName): readonly ManagementScope[] {
  const permissions = permissionsOfRole(role);
  const named = new Set(
    permissions.flatMap((permission) => {
      const resource = splitByMethod[permission];
      return resource ? [`${resource}:read`, `${resource}:write`] : [toScope(permission)];
    }),
  );
  if (permissions.some((permission) => scimPermissions.includes(permission))) named.add('scim');
  return managementScopes.filter((scope) => named.has(scope));
}
