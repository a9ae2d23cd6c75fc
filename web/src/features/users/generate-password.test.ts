import { setPasswordBody } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { generatePassword } from './set-password-dialog.tsx';

describe('generatePassword', () => {
  it('generatePassword satisfies the password rules and avoids look-alike characters', () => {
    for (let round = 0; round < 200; round++) {
      const password = generatePassword();
      expect(password).toMatch(/^([A-HJ-NP-Za-km-z2-9]{5}-){3}[A-HJ-NP-Za-km-z2-9]{5}$/);
      expect(setPasswordBody.parse({ password })).toEqual({ password });
    }
  });

  it('generatePassword returns a different password each time', () => {
    const passwords = Array.from({ length: 500 }, generatePassword);
    expect(new Set(passwords).size).toBe(passwords.length);
  });
});
