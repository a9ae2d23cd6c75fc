import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const pattern = /^slc_[0-9A-Za-z]{36}$/;

/**
 * Formats random bytes as a key: `slc_`, 30 base62 characters, 6 base62 characters of CRC-32. Needs at least 30 bytes
 * below 248 (62 x 4): only these are used, so that all characters are equally likely.
 */
export function formatApiKey(randomBytes: Uint8Array): string {
  const uniform = randomBytes.filter((byte) => byte < 248);
  if (uniform.length < 30) throw new RangeError('not enough random bytes for a key');
  const body = Array.from(uniform.subarray(0, 30), (byte) => alphabet.charAt(byte % 62)).join('');
  return `slc_${body}${checksumOf(body)}`;
}

/** Whether a string has the format of an API key; a wrong checksum is rejected without a database lookup. */
export function isApiKey(candidate: string): boolean {
  return pattern.test(candidate) && checksumOf(candidate.slice(4, 34)) === candidate.slice(34);
}

/** Returns the part of a key that is displayed after its creation. */
export function maskApiKey(last4: string): string {
  return `slc_…${last4}`;
}

function checksumOf(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let place = 0; place < 6; place++) {
    digits = alphabet.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
