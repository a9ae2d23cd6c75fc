import { expect, it } from 'vitest';
import { isCommonPassword } from './common-password.ts';

it.each(['123456', 'password', 'Password1', 'QWERTY123', 'iLoveYou'])(
  'isCommonPassword is true for %s',
  (password) => {
    expect(isCommonPassword(password)).toBe(true);
  },
);

it.each(['', 'correct horse', 'password12', ' password', '1234567891'])(
  'isCommonPassword is false for "%s"',
  (password) => {
    expect(isCommonPassword(password)).toBe(false);
  },
);
