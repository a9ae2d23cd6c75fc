import { isCommonPassword } from '#domain/common-password.ts';
import { invalidField } from '#errors/console-error.ts';

/**
 * Rejects common passwords; call it before setting any password.
 * @throws ConsoleError 422 on the field.
 */
export function requireUncommonPassword(password: string, field = 'password'): void {
  if (isCommonPassword(password)) {
    throw invalidField(field, 'This password is too common. Please choose another one.');
  }
}
