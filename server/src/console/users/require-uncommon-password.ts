import { isCommonPassword } from '#domain/common-password.ts';
import { invalidField } from '#errors/console-error.ts';

/** Whoever sets a password calls this first. @throws ConsoleError 422 on the field for one that anybody would guess. */
export function requireUncommonPassword(password: string, field = 'password'): void {
  if (isCommonPassword(password)) {
    throw invalidField(field, 'This password is too common. Please choose another one.');
  }
}
