import { isApiKey } from '#domain/api-key.ts';
import type { Credential, Principal } from '#domain/principal.ts';
import type { Clock } from '#platform/clock.ts';
import type { Keyring } from '#platform/keyring.ts';
import { type VerifiedClaims, verifySessionToken } from '#platform/session-token.ts';
import type { MissingKeys } from './missing-keys.ts';
import type { Snapshot } from './snapshot.ts';
import type { UserEntry } from './tables/users.ts';

/** Whose credential it is. Who is inactive may still hold a key, which opens nothing. */
export interface Holder extends Principal {
  readonly isActive: boolean;
}

/**
 * Turns credentials into principals, from memory but for what it does not know yet. `null`: the credential is not good,
 * for whatever reason.
 */
export interface Principals {
  /** `connection` is what the key came over: one that brings the same key again need not have it hashed again. */
  ofApiKey(apiKey: string, connection: object): Holder | null | Promise<Holder | null>;
  ofSession(token: string): Promise<Holder | null>;
  /** Says, each time it is asked, why one who has just been recognised may not go on; `null` while they may. */
  watchRevocation(principal: Principal): () => string | null;
}

/** A snapshot that is older than this recognises nobody, so a person it does not know by then is gone. */
const aheadMaxMs = 30_000;

/** `onSessionUsed` hears of each session that is let in. */
export function createPrincipals(
  snapshot: Snapshot,
  keyring: Keyring,
  clock: Clock,
  missingKeys: MissingKeys,
  onSessionUsed: (sessionId: string) => void = () => undefined,
): Principals {
  const hashOnce = createKeyHasher(keyring);
  /** Our signature proves that another node, a moment ago, knew of the person what the snapshot has not read yet. */
  const isAhead = ({ userId, tokenVersion, issuedAtMs }: VerifiedClaims) =>
    tokenVersion > (snapshot.users.get(userId)?.tokenVersion ?? 0) && clock() - issuedAtMs < aheadMaxMs;
  const recognise = (keyHash: string): Holder | null => {
    const [entry] = snapshot.apiKeys.find(keyHash);
    if (!entry || (entry.expiresAtMs !== null && entry.expiresAtMs <= clock())) return null;
    const user = snapshot.users.get(entry.userId);
    if (!user) return null;
    return toHolder(user, { kind: 'api_key', apiKeyId: entry.id, name: entry.name, scopes: entry.scopes });
  };
  return {
    ofApiKey(apiKey, connection) {
      const keyHash = hashOnce(apiKey, connection);
      if (keyHash === null) return null;
      const isKnown = snapshot.apiKeys.find(keyHash).some(({ userId }) => snapshot.users.get(userId));
      return isKnown ? recognise(keyHash) : missingKeys.read(keyHash).then(() => recognise(keyHash));
    },
    async ofSession(token) {
      const claims = await verifyWith(keyring.sessionKeys, token, clock());
      if (!claims) return null;
      if (isAhead(claims)) await snapshot.refresh('users', [String(claims.userId)]).catch(() => undefined);
      const user = snapshot.users.get(claims.userId);
      if (!user?.isActive || user.tokenVersion !== claims.tokenVersion) return null;
      if (snapshot.endedSessions.get(claims.sessionId)) return null;
      onSessionUsed(claims.sessionId);
      return toHolder(user, { kind: 'session', sessionId: claims.sessionId });
    },
    watchRevocation(principal) {
      const tokenVersion = snapshot.users.get(principal.userId)?.tokenVersion;
      return () => findRevocationReason(snapshot, principal, tokenVersion);
    },
  };
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

/** Base64, `null` for what is no key; hashed once for as long as a connection brings the same key. */
function createKeyHasher(keyring: Keyring) {
  const lastHashes = new WeakMap<object, { readonly apiKey: string; readonly hash: string }>();
  return (apiKey: string, connection: object): string | null => {
    const last = lastHashes.get(connection);
    if (last?.apiKey === apiKey) return last.hash;
    if (!isApiKey(apiKey)) return null;
    const next = { apiKey, hash: keyring.hashApiKey(apiKey).toString('base64') };
    lastHashes.set(connection, next);
    return next.hash;
  };
}

/** `tokenVersion`: that of the person's sessions when this one was recognised. */
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
  const isOver = user.tokenVersion !== tokenVersion || snapshot.endedSessions.get(credential.sessionId);
  return isOver ? 'the session has ended' : null;
}

function toHolder(user: UserEntry, credential: Credential): Holder {
  const { id: userId, tenantId, name, email, role, isActive, blockedReason } = user;
  return { userId, tenantId, name, email, role, isActive, blockedReason, credential };
}
