import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Texts of a request that are missing in its row. An absent text is in the row or does not exist. */
export interface Texts {
  readonly prompt?: string;
  readonly response?: string;
  readonly body?: string;
}

/** Request of a part. The part cannot be decrypted for any other request. */
export interface PartOwner {
  readonly tenantId: number;
  readonly requestId: string;
}

/** Thrown when a part was encrypted with another key or for another request, or was changed. */
export class PartBrokenError extends Error {
  override readonly name = 'PartBrokenError';
}

const version = 1;
const [nonceBytes, tagBytes] = [12, 16];
export const sealBytes = 1 + nonceBytes + tagBytes;
const params = { [constants.ZSTD_c_compressionLevel]: 3 };

export const compressTexts = (texts: Texts): Buffer => zstdCompressSync(JSON.stringify(texts), { params });

/** Encrypts compressed texts with the tenant's key. Layout: version, nonce, tag, ciphertext. */
export function sealPart(key: Uint8Array, owner: PartOwner, compressed: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAAD(nameOf(owner));
  const encrypted = [cipher.update(compressed), cipher.final()];
  return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), ...encrypted]);
}

/**
 * Decrypts a part.
 * @throws PartBrokenError
 */
export function openPart(key: Uint8Array, owner: PartOwner, part: Buffer): Texts {
  if (part[0] !== version) throw new PartBrokenError('the texts were encrypted by another version');
  const nonce = part.subarray(1, 1 + nonceBytes);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
    decipher.setAAD(nameOf(owner)).setAuthTag(part.subarray(1 + nonceBytes, sealBytes));
    const compressed = Buffer.concat([decipher.update(part.subarray(sealBytes)), decipher.final()]);
    return JSON.parse(zstdDecompressSync(compressed).toString());
  } catch (cause) {
    throw new PartBrokenError('the texts cannot be decrypted with this key', { cause });
  }
}

const nameOf = ({ tenantId, requestId }: PartOwner) =>
  Buffer.from(JSON.stringify([version, tenantId, requestId]));
