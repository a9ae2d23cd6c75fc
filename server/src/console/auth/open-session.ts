import { randomUUID } from 'node:crypto';
import type { SystemDatabase } from '#db/system.ts';
import type { RequestContext } from '#http/console-route.ts';
import type { Clock } from '#platform/clock.ts';
import type { Keyring } from '#platform/keyring.ts';
import { sessionLifetimeMs, signSessionToken } from '#platform/tokens.ts';
import { insertSession } from './store.ts';

export interface OpenSessionDeps {
  readonly keyring: Pick<Keyring, 'sessionKey'>;
  readonly clock: Clock;
}

/** User of a new session, with the token version for which the sign-in was checked. */
export interface SessionUser {
  readonly id: number;
  readonly tenantId: number;
  readonly tokenVersion: number;
}

/** Opens a session with a new id in the transaction of the caller; returns its token. */
export async function openSession(
  { keyring, clock }: OpenSessionDeps,
  tx: SystemDatabase,
  { address, userAgent }: Pick<RequestContext, 'address' | 'userAgent'>,
  { id: userId, tenantId, tokenVersion }: SessionUser,
): Promise<string> {
  const nowMs = clock();
  const sessionId = randomUUID();
  await insertSession(tx, {
    id: sessionId,
    tenantId,
    userId,
    address,
    userAgent: userAgent.slice(0, 500),
    tokenVersion,
    createdAt: new Date(nowMs),
    expiresAt: new Date(nowMs + sessionLifetimeMs),
  });
  return signSessionToken(keyring.sessionKey, { userId, sessionId, tokenVersion }, nowMs);
}
