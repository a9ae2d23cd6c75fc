import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { openSecret, type SealingKey, type SecretPlace, sealSecret } from './seal-secret.ts';

/**
 * Keys derived from the master secret. Each key has one purpose and cannot replace another key. During a rotation,
 * there are several secrets: new data uses one of them, existing data may use any.
 */
export interface Keyring {
  /** HS256 key of new session tokens. */
  readonly sessionKey: Uint8Array;
  readonly sessionKeys: readonly Uint8Array[];
  /** Encrypts provider keys and the links of mails (AES-256-GCM). */
  readonly sealingKey: SealingKey;
  /** Returns the HMAC-SHA-256 of an API key, the only form in which it is stored or looked up. */
  hashApiKey(apiKey: string): Buffer;
  /** Returns the HMAC-SHA-256 of another gateway's key hash. Other gateways store only the SHA-256 of a key. */
  hashForeignApiKey(sha256Hex: string): Buffer;
  /** Returns the HMAC-SHA-256 of a link token, the only form in which it is stored or looked up. */
  hashLinkToken(token: string): Buffer;
  /** Check value that identifies the current secret without revealing it. */
  readonly secretCheck: Buffer;
  readonly secretChecks: readonly Buffer[];
  /** Id of this installation: 16 hexadecimal digits that reveal nothing about the installation. */
  readonly installationId: string;
  /** Switches writes to the secret with this check value. Returns `false` if the secret is not available. */
  follow(secretCheck: Buffer): boolean;
  /**
   * Encrypts the hash keys with the current secret. Hashes cannot be recomputed, so the hash keys outlive their
   * secret.
   */
  sealHashKeys(): Buffer;
}

export interface InstalledSecret {
  readonly secretCheck: Buffer;
  /** `null` until the first rotation. Until then, the hash keys are derived from the secret. */
  readonly sealedHashKeys: Buffer | null;
}

export interface KeyringOptions {
  /** Previous secrets, newest first. One of them may still be in use. */
  readonly formerSecrets?: readonly string[];
  /** `undefined` before the first start. */
  readonly installed?: InstalledSecret | undefined;
}

interface HashKeys {
  readonly apiKey: Uint8Array;
  readonly linkToken: Uint8Array;
  readonly installationId: string;
}

const hashKeysPlace: SecretPlace = {
  tenantId: 0,
  table: 'installation',
  rowId: 0,
  column: 'sealed_hash_keys',
};

export function createKeyring(
  secret: string,
  { formerSecrets = [], installed }: KeyringOptions = {},
): Keyring {
  const own = deriveKeys(secret);
  const all = [own, ...formerSecrets.map(deriveKeys)];
  const find = (check: Buffer) => all.find(({ secretCheck }) => isSameSecret(secretCheck, check));
  let writing = (installed && find(installed.secretCheck)) ?? own;
  const sealingKey: SealingKey = {
    get current() {
      return writing.sealing;
    },
    all: all.map(({ sealing }) => sealing),
  };
  const kept = installed && find(installed.secretCheck) ? installed.sealedHashKeys : null;
  const hashKeys = kept ? parseHashKeys(openSecret(sealingKey, hashKeysPlace, kept)) : writing.hashing;
  return {
    get sessionKey() {
      return writing.session;
    },
    get secretCheck() {
      return writing.secretCheck;
    },
    sessionKeys: all.map(({ session }) => session),
    secretChecks: all.map(({ secretCheck }) => secretCheck),
    sealingKey,
    installationId: hashKeys.installationId,
    hashApiKey: hashWith(hashKeys.apiKey),
    // The prefix separates digests from keys, so that a digest is never accepted instead of its key.
    hashForeignApiKey: (sha256Hex) => hashWith(hashKeys.apiKey)(`sha256:${sha256Hex.toLowerCase()}`),
    hashLinkToken: hashWith(hashKeys.linkToken),
    follow(check) {
      const found = find(check);
      if (found) writing = found;
      return found !== undefined;
    },
    sealHashKeys: () => sealSecret(sealingKey, hashKeysPlace, formatHashKeys(hashKeys)),
  };
}

function deriveKeys(secret: string) {
  const derive = (purpose: string) => new Uint8Array(hkdfSync('sha256', secret, 'sluice', purpose, 32));
  return {
    session: derive('session-token'),
    sealing: derive('provider-key-sealing'),
    secretCheck: Buffer.from(derive('secret-check')),
    hashing: {
      apiKey: derive('api-key-hash'),
      linkToken: derive('link-token-hash'),
      installationId: Buffer.from(derive('installation-id')).toString('hex', 0, 8),
    } satisfies HashKeys,
  };
}

const hashWith = (pepper: Uint8Array) => (text: string) => createHmac('sha256', pepper).update(text).digest();

function formatHashKeys({ apiKey, linkToken, installationId }: HashKeys): string {
  return [
    Buffer.from(apiKey).toString('base64'),
    Buffer.from(linkToken).toString('base64'),
    installationId,
  ].join(' ');
}

function parseHashKeys(text: string): HashKeys {
  const [apiKey = '', linkToken = '', installationId = ''] = text.split(' ');
  return {
    apiKey: Buffer.from(apiKey, 'base64'),
    linkToken: Buffer.from(linkToken, 'base64'),
    installationId,
  };
}

export function isSameSecret(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
