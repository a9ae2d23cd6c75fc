import type { TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import { mayManage } from '#domain/role.ts';
import { ConsoleError, notFound } from '#errors/console-error.ts';
import { lockUser } from './store.ts';

export type Target = NonNullable<Awaited<ReturnType<typeof lockUser>>>;

/**
 * Returns the user to change and locks the row until the transaction ends.
 * @throws ConsoleError 404 if the tenant does not have the user, 403 if the user's role is above the caller's.
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
  return target;
}
