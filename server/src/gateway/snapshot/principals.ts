import { digestKey, isApiKey, isForeignApiKey } from '#domain/api-key.ts';
import type { Credential, Principal } from '#domain/principal.ts';
import type { Clock } from '#platform/clock.ts';
import type { Keyring } from '#platform/keyring.ts';
import { type VerifiedClaims, verifySessionToken } from '#platform/tokens.ts';
import { createForeignKeyGuard } from './foreign-key-guard.ts';
import type { MissingKeys } from './missing-keys.ts';
import type { Snapshot } from './snapshot.ts';
import type { ApiKeyEntry, UserEntry } from './tables/callers.ts';

/** An inactive user may still have a key, which grants nothing. */
export interface Holder extends Principal {
  readonly isActive: boolean;
}

/** Only unknown credentials need the database. `null` means that the credential is invalid for any reason. */
export interface Principals {
  /**
   * `connection` is the connection on which the key was received and caches the hash of its last key. `address` is
   * the client's IP address, used to limit attempts with unknown keys of other gateways.
   * @throws GatewayError after too many unknown keys
   */
  ofApiKey(apiKey: string, connection: object, address: string): Holder | null | Promise<Holder | null>;
  /** `digest` is the hexadecimal SHA-256 of another gateway's key. */
  ofForeignDigest(digest: string): Holder | null;
  ofSession(token: string): Promise<Holder | null>;
  /** Returns a function that returns why the access was revoked in the meantime, or `null` if it was not. */
  watchRevocation(principal: Principal): () => string | null;
}

/**
 * After this time, a stale snapshot rejects all credentials, so a session that is still newer than the snapshot is
 * invalid.
 */
const aheadMaxMs = 30_000;

/** `onSessionUsed` is called with each accepted session. */
export function createPrincipals(
  snapshot: Snapshot,
  keyring: Keyring,
  clock: Clock,
  missingKeys: MissingKeys,
  onSessionUsed: (sessionId: string) => void = () => undefined,
): Principals {
  const hashOnce = createKeyHasher(keyring);
  /**
   * A valid signature proves that another node recently had a state of the user that this snapshot has not read yet.
   */
  const isAhead = ({ userId, tokenVersion, issuedAtMs }: VerifiedClaims) =>
    tokenVersion > (snapshot.users.get(userId)?.tokenVersion ?? 0) && clock() - issuedAtMs < aheadMaxMs;
  const recognize = (keyHash: string) => findHolder(snapshot, keyHash, clock());
  const guard = createForeignKeyGuard(clock);
  return {
    ofApiKey(apiKey, connection, address) {
      const keyHash = hashOnce(apiKey, connection);
      if (keyHash === null) return null;
      // Keys of other gateways are imported long before they are used, so an unknown key needs no database lookup.
      if (isForeignApiKey(apiKey)) return guard.check(address, keyHash, () => recognize(keyHash));
      const isKnown = snapshot.apiKeys.find(keyHash).some(({ userId }) => snapshot.users.get(userId));
      return isKnown ? recognize(keyHash) : missingKeys.read(keyHash).then(() => recognize(keyHash));
    },
    ofForeignDigest: (digest) => recognize(keyring.hashForeignApiKey(digest).toString('base64')),
    async ofSession(token) {
      const claims = await verifyWith(keyring.sessionKeys, token, clock());
      if (!claims) return null;
      if (isAhead(claims)) await snapshot.refresh('users', [String(claims.userId)]).catch(() => undefined);
      const user = snapshot.users.get(claims.userId);
      if (!user?.isActive || user.tokenVersion !== claims.tokenVersion) return null;
      if (snapshot.endedSessions.get(claims.sessionId)) return null;
      onSessionUsed(claims.sessionId);
      const { sessionId, isFromProvider } = claims;
      const credential = { kind: 'session', sessionId, ...(isFromProvider && { isFromProvider }) } as const;
      const isRequired = needsSecondFactor(snapshot, user, isFromProvider);
      return { ...toHolder(user, credential), secondFactor: { isOn: user.hasSecondFactor, isRequired } };
    },
    watchRevocation(principal) {
      const tokenVersion = snapshot.users.get(principal.userId)?.tokenVersion;
      return () => findRevocationReason(snapshot, principal, tokenVersion);
    },
  };
}

function findHolder(snapshot: Snapshot, keyHash: string, nowMs: number): Holder | null {
  const entry = snapshot.apiKeys.find(keyHash)[0];
  if (!entry || (entry.expiresAtMs !== null && entry.expiresAtMs <= nowMs)) return null;
  const user = snapshot.users.get(entry.userId);
  if (!user) return null;
  const known = holders.get(entry);
  if (known?.user === user) return known.holder;
  const holder = createHolder(snapshot, entry, user);
  // The list of keys that pay for this key may change without a change of this key's entry, so the holder is cached
  // only for keys without such links.
  if (entry.mintedBy === null && entry.replacedBy === null) holders.set(entry, { user, holder });
  return holder;
}

/** Cached by entry, which each change of the key replaces. A changed user is detected by `user`. */
const holders = new WeakMap<ApiKeyEntry, { readonly user: UserEntry; readonly holder: Holder }>();

function createHolder(snapshot: Snapshot, entry: ApiKeyEntry, user: UserEntry): Holder {
  const { id: apiKeyId, name, scopes, limits } = entry;
  const payingKeyIds = listPayingKeys(snapshot, entry);
  return toHolder(user, { kind: 'api_key', apiKeyId, name, scopes, limits, payingKeyIds });
}

function listPayingKeys(
  { apiKeys }: Pick<Snapshot, 'apiKeys'>,
  { id, mintedBy, replacedBy }: ApiKeyEntry,
): readonly number[] {
  const ids = [id];
  if (mintedBy === null && replacedBy === null) return ids;
  const add = (next: number | null | undefined) => next != null && !ids.includes(next) && ids.push(next);
  // The set grows during the iteration.
  for (const one of ids) {
    const entry = apiKeys.get(one);
    add(entry?.mintedBy);
    add(entry?.replacedBy);
  }
  return ids;
}

async function verifyWith(
  keys: readonly Uint8Array[],
  token: string,
  nowMs: number,
): Promise<VerifiedClaims | null> {
  for (const key of keys) {
    const claims = await verifySessionToken(key, token, nowMs);
    if (claims) return claims;
  }
  return null;
}

/**
 * Returns a function that hashes a key to base64; `null` if the text is not a key. Cached while a connection sends
 * the same key.
 */
function createKeyHasher(keyring: Keyring) {
  const lastHashes = new WeakMap<object, { readonly apiKey: string; readonly hash: string }>();
  return (apiKey: string, connection: object): string | null => {
    const last = lastHashes.get(connection);
    if (last?.apiKey === apiKey) return last.hash;
    const hash = hashAnyKey(keyring, apiKey);
    if (!hash) return null;
    const next = { apiKey, hash: hash.toString('base64') };
    lastHashes.set(connection, next);
    return next.hash;
  };
}

function hashAnyKey(keyring: Keyring, apiKey: string): Buffer | null {
  if (isApiKey(apiKey)) return keyring.hashApiKey(apiKey);
  if (!isForeignApiKey(apiKey)) return null;
  return keyring.hashForeignApiKey(digestKey(apiKey));
}

/** `tokenVersion` is the version of the user's sessions at authentication. */
function findRevocationReason(
  snapshot: Snapshot,
  { userId, credential }: Principal,
  tokenVersion: number | undefined,
): string | null {
  const user = snapshot.users.get(userId);
  if (!user?.isActive) return 'the account was deactivated';
  if (user.blockedReason !== null)
    return `the account was blocked: ${user.blockedReason || 'no reason was given'}`;
  if (credential.kind === 'api_key')
    return snapshot.apiKeys.get(credential.apiKeyId) ? null : 'the API key was revoked or has expired';
  // The gateway does not accept management tokens.
  if (credential.kind === 'management_token') return 'the credential is not valid here';
  const isOver = user.tokenVersion !== tokenVersion || snapshot.endedSessions.get(credential.sessionId);
  return isOver ? 'the session has ended' : null;
}

function toHolder(user: UserEntry, credential: Credential): Holder {
  const { id: userId, tenantId, name, email, role, isActive, blockedReason } = user;
  return { userId, tenantId, name, email, role, isActive, blockedReason, credential };
}

/**
 * Returns whether the session requires a second factor; `true` if the snapshot has no settings yet. Identity
 * providers check their own second factor, except for super administrators, who are above the tenant that chose the
 * provider.
 */
function needsSecondFactor(
  { tenants, platformSettings }: Pick<Snapshot, 'tenants' | 'platformSettings'>,
  { role, tenantId }: UserEntry,
  isFromProvider: boolean,
): boolean {
  if (role === 'super_admin') return platformSettings.get(1)?.requiresSuperAdminSecondFactor ?? true;
  if (isFromProvider) return false;
  return tenants.get(tenantId)?.secondFactorRoles.includes(role) ?? true;
}
