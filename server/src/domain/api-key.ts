import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const pattern = /^slc_[0-9A-Za-z]{36}$/;
/** Format of other gateways' keys, which have the prefix of OpenAI's keys. */
const foreignPattern = /^sk-[!-~]{1,253}$/;
const tokenPattern = /^slm_[0-9A-Za-z]{36}$/;

/**
 * Formats random bytes as a key: `slc_`, 30 base62 characters, 6 base62 characters of CRC-32. Needs at least 30 bytes
 * below 248 (62 x 4): only these are used, so that all characters are equally likely.
 */
export function formatApiKey(randomBytes: Uint8Array): string {
  return `slc_${formatBody(randomBytes)}`;
}

/** Formats random bytes as a management token, like a key but with the prefix `slm_`. */
export function formatManagementToken(randomBytes: Uint8Array): string {
  return `slm_${formatBody(randomBytes)}`;
}

function formatBody(randomBytes: Uint8Array): string {
  const uniform = randomBytes.filter((byte) => byte < 248);
  if (uniform.length < 30) throw new RangeError('not enough random bytes for a key');
  const body = Array.from(uniform.subarray(0, 30), (byte) => alphabet.charAt(byte % 62)).join('');
  return `${body}${checksumOf(body)}`;
}

/** Whether a string has the format of an API key; a wrong checksum is rejected without a database lookup. */
export function isApiKey(candidate: string): boolean {
  return pattern.test(candidate) && hasChecksum(candidate);
}

/** Whether a string has the format of a key of another gateway. */
export function isForeignApiKey(candidate: string): boolean {
  return foreignPattern.test(candidate);
}

/** Returns the hexadecimal SHA-256 of a key, which other gateways store. */
export const digestKey = (apiKey: string): string => createHash('sha256').update(apiKey).digest('hex');

/** Gateway that created an API key. */
export const apiKeyOrigins = ['sluice', 'litellm', 'one_api'] as const;

export type ApiKeyOrigin = (typeof apiKeyOrigins)[number];

/** Whether a string has the format of a management token, including its checksum. */
export function isManagementToken(candidate: string): boolean {
  return tokenPattern.test(candidate) && hasChecksum(candidate);
}

const hasChecksum = (secret: string) => checksumOf(secret.slice(4, 34)) === secret.slice(34);

/** Returns the part of a key that is displayed after its creation. */
export function maskApiKey(last4: string, origin: ApiKeyOrigin = 'sluice'): string {
  return `${origin === 'sluice' ? 'slc_' : 'sk-'}…${last4}`;
}

export function maskManagementToken(last4: string): string {
  return `slm_…${last4}`;
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
