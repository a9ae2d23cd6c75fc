import { formatApiKey, isApiKey } from './api-key.ts';

const prefix = 'scim_';
const prefixOfKeys = 'slc_';

/**
 * Formats random bytes as a SCIM token. The format is that of API keys, but with a different prefix to prevent
 * confusion.
 */
export function formatScimToken(randomBytes: Uint8Array): string {
  return prefix + formatApiKey(randomBytes).slice(prefixOfKeys.length);
}

/** A token with a wrong checksum is rejected without a database lookup. */
export function isScimToken(candidate: string): boolean {
  return candidate.startsWith(prefix) && isApiKey(prefixOfKeys + candidate.slice(prefix.length));
}

/** The displayed form contains only the last four characters. */
export function maskScimToken(last4: string): string {
  return `${prefix}…${last4}`;
}
