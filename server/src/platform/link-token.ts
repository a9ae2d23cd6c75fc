import { randomBytes } from 'node:crypto';

/** Returns the secret part of a link in a mail: 256 bits, safe in a URL path. Only its hash is stored. */
export function makeLinkToken(): string {
  return randomBytes(32).toString('base64url');
}
