import { setPasswordBody } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { generatePassword } from './generate-password.ts';

describe('a generated password', () => {
  it('is one that the gate takes, without characters that look alike', () => {
    for (let round = 0; round < 200; round++) {
      const password = generatePassword();
      expect(password).toMatch(/^([A-HJ-NP-Za-km-z2-9]{5}-){3}[A-HJ-NP-Za-km-z2-9]{5}$/);
      expect(setPasswordBody.parse({ password })).toEqual({ password });
    }
  });

  it('comes up once', () => {
    const passwords = Array.from({ length: 500 }, generatePassword);
    expect(new Set(passwords).size).toBe(passwords.length);
  });
});
