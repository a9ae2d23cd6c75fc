import type { User } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import { isCommonPassword } from '#domain/common-password.ts';
import type { Author } from '#domain/principal.ts';
import { invalidField } from '#errors/console-error.ts';
import { type PasswordHasher, passwordSetter } from '#platform/password.ts';
import { readUser } from './read.ts';
import { changeUser } from './store.ts';
import { lockTarget, requirePerson } from './target.ts';

export async function changeUserPassword(
  tx: TenantTransaction,
  author: Author,
  { userId, passwordHash }: { readonly userId: number; readonly passwordHash: string },
): Promise<User> {
  requirePerson(await lockTarget(tx, author, userId));
  await setPassword(tx, userId, passwordHash);
  return readUser(tx, author.tenantId, userId);
}

/** Sets the password of a user who has proven their identity, and ends all of the user's sessions. */
export function setPassword(tx: TenantTransaction, userId: number, passwordHash: string): Promise<void> {
  return changeUser(tx, userId, { passwordHash, endsSessions: true });
}

/**
 * Returns the hash of a new password. Call it before starting a transaction, because hashing takes longer than a
 * transaction should.
 * @throws ConsoleError 422 on the field if the password is too common
 */
export function hashNewPassword(
  passwords: Pick<PasswordHasher, 'hash'>,
  setter: { readonly tenantId: number; readonly userId: number },
  password: string,
  field = 'password',
): Promise<string> {
  requireUncommonPassword(password, field);
  return passwords.hash(password, passwordSetter(setter));
}

/**
 * Rejects common passwords. Call it before setting any password.
 * @throws ConsoleError 422 on the field if the password is too common
 */
export function requireUncommonPassword(password: string, field = 'password'): void {
  if (isCommonPassword(password)) {
    throw invalidField(field, 'This password is too common. Please choose another one.');
  }
}
