import { createDecipheriv, createHash } from 'node:crypto';
import { secretbox } from '@noble/ciphers/salsa.js';

const gcmPrefix = 'v2:gcm:';
const [gcmNonceBytes, gcmTagBytes] = [12, 16];
const [boxNonceBytes, boxTagBytes] = [24, 16];

/** Thrown when a value cannot be decrypted with the salt key. */
export class WrongSaltKeyError extends Error {
  override readonly name = 'WrongSaltKeyError';
}

/**
 * Returns a function that decrypts LiteLLM's stored secrets. Other values are returned unchanged, since references to
 * variables and older rows are stored in plain text.
 * @throws WrongSaltKeyError if a ciphertext cannot be decrypted with the key, or if there is no key
 */
export function createDecrypt(saltKey: string | null): (stored: string, name: string) => string {
  const key = saltKey === null ? null : createHash('sha256').update(saltKey).digest();
  return (stored, name) => {
    const sealed = readCiphertext(stored);
    if (!sealed) return stored;
    if (!key)
      throw new WrongSaltKeyError(
        `LiteLLM has encrypted ${name}. Set --salt-key-file to a file with LITELLM_SALT_KEY, or with the master key if LiteLLM has no salt key.`,
      );
    const opened = stored.startsWith(gcmPrefix) ? openGcm(key, sealed) : openBox(key, sealed);
    if (opened !== null) return opened;
    throw new WrongSaltKeyError(
      `The salt key does not decrypt ${name}, so nothing was imported. Use the LITELLM_SALT_KEY with which LiteLLM stored it, or the master key if LiteLLM had no salt key.`,
    );
  };
}

/** Returns `null` if the text is not a ciphertext. */
function readCiphertext(stored: string): Buffer | null {
  const isGcm = stored.startsWith(gcmPrefix);
  const text = isGcm ? stored.slice(gcmPrefix.length) : stored;
  if (!/^[A-Za-z0-9_+/-]+={0,2}$/.test(text) || text.length % 4 !== 0) return null;
  const sealed = Buffer.from(text, 'base64url');
  const bytesMin = isGcm ? gcmNonceBytes + gcmTagBytes : boxNonceBytes + boxTagBytes;
  return sealed.length < bytesMin ? null : sealed;
}

function openGcm(key: Buffer, sealed: Buffer): string | null {
  const end = sealed.length - gcmTagBytes;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, gcmNonceBytes));
  decipher.setAuthTag(sealed.subarray(end));
  try {
    const opened = [decipher.update(sealed.subarray(gcmNonceBytes, end)), decipher.final()];
    return Buffer.concat(opened).toString('utf8');
  } catch {
    return null;
  }
}

function openBox(key: Buffer, sealed: Buffer): string | null {
  try {
    const opened = secretbox(key, sealed.subarray(0, boxNonceBytes)).open(sealed.subarray(boxNonceBytes));
    return Buffer.from(opened).toString('utf8');
  } catch {
    return null;
  }
}
