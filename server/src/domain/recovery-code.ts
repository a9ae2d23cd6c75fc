import { randomInt } from 'node:crypto';

/** Letters and digits, except those that look alike. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
/** 12 of 31 characters: 59 bits. */
const groups = 3;
const groupLength = 4;

export const recoveryCodesCount = 10;

/** Returns new recovery codes, such as `k7md-x2pq-9fhw`. */
export function makeRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodesCount }, () =>
    Array.from({ length: groups }, makeGroup).join('-'),
  );
}

const makeGroup = () =>
  Array.from({ length: groupLength }, () => alphabet.charAt(randomInt(alphabet.length))).join('');

/** Returns the form of a typed code that is hashed: case, spaces and dashes do not matter. */
export function foldRecoveryCode(typed: string): string {
  return typed.toLowerCase().replaceAll(/[\s-]/g, '');
}
