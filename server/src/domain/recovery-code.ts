import { randomInt } from 'node:crypto';

/** Letters and digits without look-alikes. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
/** 3 groups of 4 characters from an alphabet of 31 give 59 bits of entropy. */
const groups = 3;
const groupLength = 4;

export const recoveryCodesCount = 10;

/** Generates recovery codes, such as `k7md-x2pq-9fhw`. */
export function makeRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodesCount }, () =>
    Array.from({ length: groups }, makeGroup).join('-'),
  );
}

const makeGroup = () =>
  Array.from({ length: groupLength }, () => alphabet.charAt(randomInt(alphabet.length))).join('');

/** Case, spaces and dashes are ignored. */
export function foldRecoveryCode(typed: string): string {
  return typed.toLowerCase().replaceAll(/[\s-]/g, '');
}
