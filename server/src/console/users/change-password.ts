import type { User } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import { isCommonPassword } from '#domain/common-password.ts';
import { invalidField } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { type PasswordHasher, passwordSetter } from '#platform/password.ts';
import { lockTarget } from './block.ts';
import { readUser } from './read.ts';
import { changeUser } from './store.ts';

/** Sets a user's password and ends all of their sessions. */
export async function changePassword(
  passwords: Pick<PasswordHasher, 'hash'>,
  ctx: SignedInContext,
  userId: number,
  password: string,
): Promise<User> {
  requireUncommonPassword(password);
  const passwordHash = await passwords.hash(password, passwordSetter(ctx.principal));
  return ctx.inTenant(async (tx) => {
    await lockTarget(tx, ctx.principal, userId);
    await changePersonPassword(tx, userId, passwordHash);
    return readUser(tx, ctx.principal.tenantId, userId);
  });
}

/** Sets a user's password as an administrator and ends all of the user's sessions. */
export function changePersonPassword(
  tx: TenantTransaction,
  userId: number,
  passwordHash: string,
): Promise<void> {
  return changeUser(tx, userId, { passwordHash, endsSessions: true });
}

/**
 * Rejects common passwords; call it before setting any password.
 * @throws ConsoleError 422 on the field.
 */
export function requireUncommonPassword(password: string, field = 'password'): void {
  if (isCommonPassword(password)) {
    throw invalidField(field, 'This password is too common. Please choose another one.');
  }
}
