import type { CurrentUser } from '@sluice/contract';

export function isAdministrator(user: CurrentUser): boolean {
  return user.role.name === 'admin' || user.role.name === 'super_admin';
}

/** Blocked administrators may not enter the admin area. */
export function mayAdminister(user: CurrentUser): boolean {
  return isAdministrator(user) && user.role.permissions.includes('users.read');
}

export function homePathOf(user: CurrentUser): '/admin' | '/dashboard' {
  return mayAdminister(user) ? '/admin' : '/dashboard';
}

const anyOrigin = 'http://own.invalid';

/** Whether a path from the URL stays on this site, so that a sign-in link cannot redirect to another site. */
export function isOwnPath(path: string): boolean {
  return (
    path.startsWith('/') && URL.canParse(path, anyOrigin) && new URL(path, anyOrigin).origin === anyOrigin
  );
}
