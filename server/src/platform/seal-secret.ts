import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Encryption keys. `current` encrypts, and each of `all` decrypts. There are several keys only during a rotation. */
export interface SealingKey {
  readonly current: Uint8Array;
  readonly all: readonly Uint8Array[];
}

/** A secret cannot be decrypted at another location. */
export interface SecretPlace {
  /** `null` for a row without a tenant. */
  readonly tenantId: number | null;
  readonly table: string;
  readonly rowId: number;
  readonly column: string;
}

export function providerKeyPlace(tenantId: number, llmProviderId: number): SecretPlace {
  return { tenantId, table: 'llm_providers', rowId: llmProviderId, column: 'sealed_api_key' };
}

export function formerProviderKeyPlace(tenantId: number, llmProviderId: number): SecretPlace {
  return { ...providerKeyPlace(tenantId, llmProviderId), column: 'sealed_former_api_key' };
}

export function mailLinkPlace(tenantId: number | null, mailId: number): SecretPlace {
  return { tenantId, table: 'mails', rowId: mailId, column: 'sealed_link' };
}

export function clientSecretPlace(tenantId: number, identityProviderId: number): SecretPlace {
  return { tenantId, table: 'identity_providers', rowId: identityProviderId, column: 'sealed_client_secret' };
}

export function idTokenPlace(tenantId: number, sessionId: string): SecretPlace {
  return { tenantId, table: 'sessions', rowId: 0, column: `sealed_id_token:${sessionId}` };
}

export function totpSecretPlace(tenantId: number, authenticatorId: number): SecretPlace {
  return { tenantId, table: 'totp_authenticators', rowId: authenticatorId, column: 'sealed_secret' };
}

export function bodyKeyPlace(tenantId: number): SecretPlace {
  return { tenantId, table: 'body_keys', rowId: 0, column: 'sealed_key' };
}

/** Thrown when an encrypted secret has another key, version or place, or was changed. */
export class SealBrokenError extends Error {
  override readonly name = 'SealBrokenError';
}

const version = 1;
const nonceBytes = 12;
const tagBytes = 16;
const dataKeyBytes = 32;
const wrappedKeyBytes = nonceBytes + tagBytes + dataKeyBytes;

/**
 * Encrypts a secret with its own key, and that key with the sealing key, so that a rotation re-encrypts only the
 * small keys. Layout: version, wrapped key, secret; both parts consist of nonce, tag and ciphertext.
 */
export function sealSecret({ current }: SealingKey, place: SecretPlace, secret: string): Buffer {
  const dataKey = randomBytes(dataKeyBytes);
  return Buffer.concat([
    Buffer.of(version),
    encrypt(current, encodePlace(place, 'key'), dataKey),
    encrypt(dataKey, encodePlace(place, 'secret'), Buffer.from(secret)),
  ]);
}

/**
 * Decrypts a secret.
 * @throws SealBrokenError unless `sealSecret` created the blob with one of these keys for this place
 */
export function openSecret({ all }: SealingKey, place: SecretPlace, sealed: Uint8Array): string {
  if (sealed[0] !== version) throw new SealBrokenError('the secret was encrypted by another version');
  const wrappedKey = sealed.subarray(1, 1 + wrappedKeyBytes);
  const dataKey = unwrap(all, encodePlace(place, 'key'), wrappedKey);
  return decrypt(dataKey, encodePlace(place, 'secret'), sealed.subarray(1 + wrappedKeyBytes)).toString();
}

function unwrap(keys: readonly Uint8Array[], boundTo: Buffer, wrappedKey: Uint8Array): Buffer {
  let broken: unknown = new SealBrokenError('there is no sealing key');
  for (const key of keys) {
    try {
      return decrypt(key, boundTo, wrappedKey);
    } catch (error) {
      broken = error;
    }
  }
  throw broken;
}

function encrypt(key: Uint8Array, boundTo: Buffer, plain: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAAD(boundTo);
  const encrypted = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]);
}

function decrypt(key: Uint8Array, boundTo: Buffer, part: Uint8Array): Buffer {
  const nonce = part.subarray(0, nonceBytes);
  const tag = part.subarray(nonceBytes, nonceBytes + tagBytes);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
    decipher.setAAD(boundTo).setAuthTag(tag);
    return Buffer.concat([decipher.update(part.subarray(nonceBytes + tagBytes)), decipher.final()]);
  } catch (cause) {
    throw new SealBrokenError('the secret cannot be decrypted with this key', { cause });
  }
}

function encodePlace({ tenantId, table, rowId, column }: SecretPlace, part: 'key' | 'secret'): Buffer {
  return Buffer.from(JSON.stringify([version, part, tenantId, table, rowId, column]));
}
