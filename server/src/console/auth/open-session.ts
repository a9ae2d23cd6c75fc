import { randomUUID } from 'node:crypto';
import { readSessionLifetimeMs } from '#console/sign-in-policy/policy.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { RequestContext } from '#http/console-route.ts';
import type { Clock } from '#platform/clock.ts';
import type { Keyring } from '#platform/keyring.ts';
import { idTokenPlace, type SealingKey, sealSecret } from '#platform/seal-secret.ts';
import { signSessionToken } from '#platform/tokens.ts';
import { insertSession } from './store.ts';

export interface OpenSessionDeps {
  readonly keyring: Pick<Keyring, 'sessionKey' | 'sealingKey'>;
  readonly clock: Clock;
}

/** The token version is the one that was current when the credentials were checked. */
export interface SessionUser {
  readonly id: number;
  readonly tenantId: number;
  readonly tokenVersion: number;
}

export interface SessionOrigin {
  readonly userIdentityId: number;
  readonly providerSession: string | null;
  readonly idToken: string;
}

/** The tenant's policy determines the lifetime. `origin` is absent for password sign-ins. */
export async function openSession(
  { keyring, clock }: OpenSessionDeps,
  tx: SystemDatabase,
  { address, userAgent }: Pick<RequestContext, 'address' | 'userAgent'>,
  { id: userId, tenantId, tokenVersion }: SessionUser,
  origin?: SessionOrigin,
): Promise<string> {
  const nowMs = clock();
  const sessionId = randomUUID();
  const lifetimeMs = await readSessionLifetimeMs(tx, tenantId);
  await insertSession(tx, {
    id: sessionId,
    tenantId,
    userId,
    address,
    userAgent: userAgent.slice(0, 500),
    tokenVersion,
    createdAt: new Date(nowMs),
    expiresAt: new Date(nowMs + lifetimeMs),
    ...(origin && toColumns(keyring.sealingKey, { tenantId, sessionId }, origin)),
  });
  const claims = { userId, sessionId, tokenVersion, isFromProvider: origin !== undefined };
  return signSessionToken(keyring.sessionKey, claims, nowMs, lifetimeMs);
}

/**
 * Maximum length of a stored ID token. Longer tokens are not stored; the provider then asks the user to confirm a
 * sign-out.
 */
const idTokenMax = 8_192;

function toColumns(
  sealingKey: SealingKey,
  { tenantId, sessionId }: { tenantId: number; sessionId: string },
  { userIdentityId, providerSession, idToken }: SessionOrigin,
) {
  const isKept = idToken.length <= idTokenMax;
  const sealedIdToken = isKept ? sealSecret(sealingKey, idTokenPlace(tenantId, sessionId), idToken) : null;
  return { userIdentityId, providerSession, sealedIdToken };
}
