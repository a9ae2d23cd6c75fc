import { randomBytes } from 'node:crypto';

/** The secret part of a link in a mail: 256 bits, safe in a path. Stored as the keyring's hash of it only. */
export function makeLinkToken(): string {
  return randomBytes(32).toString('base64url');
}
