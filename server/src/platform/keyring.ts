import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Keys derived from the master secret, one per purpose, so that none can stand in for another. */
export interface Keyring {
  /** HS256 key of session tokens. */
  readonly sessionKey: Uint8Array;
  /** Encrypts provider keys and the links of mails (AES-256-GCM). */
  readonly sealingKey: Uint8Array;
  /** HMAC-SHA-256 of an API key, the only form in which one is stored or looked up. */
  hashApiKey(apiKey: string): Buffer;
  /** HMAC-SHA-256 of a link's token, likewise. */
  hashLinkToken(token: string): Buffer;
  /** Proves, without revealing it, which secret a database was set up with. */
  readonly secretCheck: Buffer;
  /** Names this installation to itself, and tells others nothing: 16 hexadecimal digits. */
  readonly installationId: string;
}

export function createKeyring(secret: string): Keyring {
  const derive = (purpose: string) => new Uint8Array(hkdfSync('sha256', secret, 'sluice', purpose, 32));
  const hashWith = (pepper: Uint8Array) => (text: string) =>
    createHmac('sha256', pepper).update(text).digest();
  return {
    sessionKey: derive('session-token'),
    sealingKey: derive('provider-key-sealing'),
    secretCheck: Buffer.from(derive('secret-check')),
    installationId: Buffer.from(derive('installation-id')).toString('hex', 0, 8),
    hashApiKey: hashWith(derive('api-key-hash')),
    hashLinkToken: hashWith(derive('link-token-hash')),
  };
}

export function isSameSecret(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
