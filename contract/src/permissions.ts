/** What a role may do. `super_admin` is also the marker by which the console recognises platform operators. */
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

/** `anyone` needs no credentials; every other row needs a principal that holds the permission. */
export type RoutePermission = Permission | 'anyone';

export const roleNames = ['super_admin', 'admin', 'user'] as const;

export type RoleName = (typeof roleNames)[number];

/** `teams.manage` reaches only the teams of which one is an administrator. */
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

/** The permissions that a role carries. */
export function permissionsOfRole(role: RoleName): readonly Permission[] {
  return permissionsByRole[role];
}

/** Scopes an API key may be narrowed to; a key's rights are its user's rights within its scopes. */
export const apiKeyScopes = ['completions', 'embeddings', 'models'] as const;

export type ApiKeyScope = (typeof apiKeyScopes)[number];

const permissionsByScope: Record<ApiKeyScope, readonly Permission[]> = {
  completions: ['completions.create', 'requests.read'],
  embeddings: ['embeddings.create', 'requests.read'],
  models: ['models.read', 'requests.read'],
};

/** Whether a key with these scopes may use a permission of its owner. */
export function scopesAllow(scopes: readonly ApiKeyScope[], permission: Permission): boolean {
  return scopes.some((scope) => permissionsByScope[scope].includes(permission));
}
