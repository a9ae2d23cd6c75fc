import { type Permission, scopeOf } from '@sluice/contract';
import { isAllowed, type Principal } from '#domain/principal.ts';
import { ConsoleError } from '#errors/console-error.ts';

/**
 * Requires a permission in addition to that of the route, for a call that does several things.
 * @throws ConsoleError 403 naming the scope that a management token lacks
 */
export function requirePermission(author: Principal, permission: Permission, purpose: string): void {
  if (!isAllowed(author, permission)) throw new ConsoleError(403, 'Not enough permissions');
  const { credential } = author;
  if (credential.kind !== 'management_token') return;
  const scope = scopeOf({ surface: 'management', method: 'POST', permission });
  if (scope !== null && credential.scopes.includes(scope)) return;
  throw new ConsoleError(
    403,
    `The management token '${credential.name}' does not have the scope ${scope}, which is required ${purpose}.`,
  );
}
