import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const pattern = /^slc_[0-9A-Za-z]{36}$/;
/** Format of keys from other gateways, which use OpenAI's prefix. */
const foreignPattern = /^sk-[!-~]{1,253}$/;
const tokenPattern = /^slm_[0-9A-Za-z]{36}$/;

/**
 * Formats random bytes as an API key: `slc_`, 30 base62 characters and a CRC-32 checksum of 6 base62 characters.
 * Needs at least 30 bytes below 248 (62 x 4). Other bytes are skipped, so that all characters are equally likely.
 */
export function formatApiKey(randomBytes: Uint8Array): string {
  return `slc_${formatBody(randomBytes)}`;
}

/** Formats random bytes as a management token. The format is that of API keys, but with the prefix `slm_`. */
export function formatManagementToken(randomBytes: Uint8Array): string {
  return `slm_${formatBody(randomBytes)}`;
}

function formatBody(randomBytes: Uint8Array): string {
  const uniform = randomBytes.filter((byte) => byte < 248);
  if (uniform.length < 30) throw new RangeError('not enough random bytes for a key');
  const body = Array.from(uniform.subarray(0, 30), (byte) => alphabet.charAt(byte % 62)).join('');
  return `${body}${checksumOf(body)}`;
}

/** A key with a wrong checksum is rejected without a database lookup. */
export function isApiKey(candidate: string): boolean {
  return pattern.test(candidate) && hasChecksum(candidate);
}

export function isForeignApiKey(candidate: string): boolean {
  return foreignPattern.test(candidate);
}

/** Other gateways store this hexadecimal digest. */
export const digestKey = (apiKey: string): string => createHash('sha256').update(apiKey).digest('hex');

export const apiKeyOrigins = ['sluice', 'litellm', 'one_api'] as const;

export type ApiKeyOrigin = (typeof apiKeyOrigins)[number];

export function isManagementToken(candidate: string): boolean {
  return tokenPattern.test(candidate) && hasChecksum(candidate);
}

const hasChecksum = (secret: string) => checksumOf(secret.slice(4, 34)) === secret.slice(34);

/** The displayed form contains only the last four characters. */
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
