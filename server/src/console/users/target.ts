import type { TenantTransaction } from '#db/tenant.ts';
import type { Author, Principal } from '#domain/principal.ts';
import { mayManage } from '#domain/role.ts';
import { ConsoleError, notFound } from '#errors/console-error.ts';
import { scoreNow } from './read.ts';
import { lockUser } from './store.ts';

/** `deviationScore` includes the decay until now. */
export type Target = NonNullable<Awaited<ReturnType<typeof lockUser>>>;

/**
 * Returns the user to be changed and locks the row until the transaction ends.
 * @throws ConsoleError 404 if the tenant does not have the user, 403 if the user's role is above the caller's role
 */
export async function lockTarget(
  tx: TenantTransaction,
  { tenantId, role }: Author,
  userId: number,
): Promise<Target> {
  const target = await lockUser(tx, tenantId, userId);
  if (!target) throw notFound('User');
  if (!mayManage(role, target.role)) {
    throw new ConsoleError(403, 'Only a super administrator may manage a super administrator');
  }
  return { ...target, deviationScore: scoreNow(target) };
}

/**
 * Rejects service accounts, which never sign in.
 * @throws ConsoleError 409 if the user is a service account
 */
export function requirePerson({ kind }: Pick<Target, 'kind'>): void {
  if (kind === 'person') return;
  throw new ConsoleError(
    409,
    'A service account has no password and no second factor, since it never signs in',
  );
}

/** Returns the caller's own row and locks it until the transaction ends. */
export async function lockSelf(tx: TenantTransaction, { tenantId, userId }: Principal): Promise<Target> {
  const self = await lockUser(tx, tenantId, userId);
  if (!self) throw notFound('User');
  return { ...self, deviationScore: scoreNow(self) };
}
