/** `super_admin` is the permission of platform operators; the console shows their pages to users who have it. */
export const permissions = [
  'super_admin',
  'users.read',
  'users.write',
  'api_keys.write',
  'providers.read',
  'providers.write',
  'provider_access.read',
  'provider_access.write',
  'blacklist.read',
  'blacklist.write',
  'budgets.read',
  'budgets.write',
  'teams.write',
  'tasks.read',
  'tasks.write',
  'governance.read',
  'governance.write',
  'logs.read',
  'analytics.read',
  'audit.read',
  'settings.read',
  'settings.write',
  'credits.read',
  'credits.write',
  'account.read',
  'teams.manage',
  'completions.create',
  'embeddings.create',
  'models.read',
  'requests.read',
] as const;

export type Permission = (typeof permissions)[number];

/** `anyone` requires no credentials; all other routes require a principal with the permission. */
export type RoutePermission = Permission | 'anyone';

export const roleNames = ['super_admin', 'admin', 'user'] as const;

export type RoleName = (typeof roleNames)[number];

/** `teams.manage` covers only the teams that the user administers. Users who administer no team do not see it. */
const ownPermissions: readonly Permission[] = [
  'account.read',
  'teams.manage',
  'completions.create',
  'embeddings.create',
  'models.read',
  'requests.read',
];

const tenantPermissions: readonly Permission[] = [
  ...ownPermissions,
  'users.read',
  'users.write',
  'api_keys.write',
  'providers.read',
  'providers.write',
  'provider_access.read',
  'provider_access.write',
  'blacklist.read',
  'blacklist.write',
  'budgets.read',
  'budgets.write',
  'teams.write',
  'tasks.read',
  'tasks.write',
  'governance.read',
  'governance.write',
  'logs.read',
  'analytics.read',
  'audit.read',
  'settings.read',
  'settings.write',
  'credits.read',
  'credits.write',
];

const permissionsByRole: Record<RoleName, readonly Permission[]> = {
  super_admin: permissions,
  admin: tenantPermissions,
  user: ownPermissions,
};

export function permissionsOfRole(role: RoleName): readonly Permission[] {
  return permissionsByRole[role];
}

/** A key has the permissions of its user within these scopes. */
export const apiKeyScopes = ['completions', 'embeddings', 'models'] as const;

export type ApiKeyScope = (typeof apiKeyScopes)[number];

const permissionsByScope: Record<ApiKeyScope, readonly Permission[]> = {
  completions: ['completions.create', 'requests.read'],
  embeddings: ['embeddings.create', 'requests.read'],
  models: ['models.read', 'requests.read'],
};

export function scopesAllow(scopes: readonly ApiKeyScope[], permission: Permission): boolean {
  return scopes.some((scope) => permissionsByScope[scope].includes(permission));
}
