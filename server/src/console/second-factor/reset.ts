import type { User } from '@sluice/contract';
import { deleteFactors, storeFactorState } from '#console/sign-in-tickets/factors-store.ts';
import { readUser } from '#console/users/read.ts';
import { lockTarget, requirePerson } from '#console/users/target.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import { ConsoleError } from '#errors/console-error.ts';
import { type NoticeDeps, notifyOwner } from './notices.ts';

/**
 * Removes all second factors of another user and ends the user's sessions. `notices` is `null` on the command line,
 * which sends no email.
 * @throws ConsoleError 403 for the caller's own account or a user with a higher role, 404 for a user of another
 * tenant, 409 for a service account
 */
export async function resetSecondFactor(
  notices: NoticeDeps | null,
  tx: TenantTransaction,
  author: Author,
  userId: number,
): Promise<User> {
  const { tenantId } = author;
  requirePerson(await lockTarget(tx, author, userId));
  if (userId === author.userId) {
    throw new ConsoleError(403, 'You cannot reset your own second factor here. Change it in your profile.');
  }
  await deleteFactors(tx, { tenantId, userId });
  await storeFactorState(tx, { tenantId, userId }, false);
  const user = await readUser(tx, tenantId, userId);
  if (notices) await notifyOwner(notices, tx, { ...user, tenantId, role: user.role_name }, { kind: 'reset' });
  return user;
}
