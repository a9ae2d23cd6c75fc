import { foldPassword } from '@sluice/contract';

/** The 20 most frequent leaked passwords that have the minimum length. */
const commonPasswords: readonly string[] = [
  '000000',
  '111111',
  '11111111',
  '123123',
  '123321',
  '123456',
  '1234567',
  '12345678',
  '123456789',
  '1234567890',
  'abc123',
  'dragon',
  'iloveyou',
  'monkey',
  'password',
  'password1',
  'qwerty',
  'qwerty1',
  'qwerty123',
  'secret',
];

/** Ignores the case and width of letters. */
export function isCommonPassword(password: string): boolean {
  return commonPasswords.includes(foldPassword(password).normalize('NFKC').toLowerCase());
}
