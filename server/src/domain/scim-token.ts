import { formatApiKey, isApiKey } from './api-key.ts';

const prefix = 'scim_';
const prefixOfKeys = 'slc_';

/**
 * Formats random bytes as a SCIM token: like an API key, but with a different prefix so that the two cannot be
 * confused.
 */
export function formatScimToken(randomBytes: Uint8Array): string {
  return prefix + formatApiKey(randomBytes).slice(prefixOfKeys.length);
}

/** Whether a string has the format of a SCIM token; a wrong checksum is rejected without a database lookup. */
export function isScimToken(candidate: string): boolean {
  return candidate.startsWith(prefix) && isApiKey(prefixOfKeys + candidate.slice(prefix.length));
}

/** Returns the part of a token that is displayed after its creation. */
export function maskScimToken(last4: string): string {
  return `${prefix}…${last4}`;
}
