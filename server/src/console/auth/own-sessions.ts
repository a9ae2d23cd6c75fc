import type { OpenSession } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { notFound } from '#errors/console-error.ts';
import type { SessionClaims } from '#platform/tokens.ts';
import { endOtherSessionRows, endSessionRow, selectSessions } from './sessions-store.ts';

export async function listSessions(tx: TenantTransaction, author: Principal): Promise<OpenSession[]> {
  const rows = await selectSessions(tx, author);
  return rows.map((row) => ({
    id: row.id,
    created_at: row.createdAt.toISOString(),
    last_used_at: row.lastUsedAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    address: row.address,
    user_agent: row.userAgent,
    is_current: row.id === sessionIdOf(author),
  }));
}

/** @throws ConsoleError 404 if the session has ended or belongs to another user */
export async function endSession(tx: TenantTransaction, author: Principal, id: string): Promise<void> {
  const isEnded = await endSessionRow(tx, author, id);
  if (!isEnded) throw notFound('Session');
}

export async function endOtherSessions(tx: TenantTransaction, author: Principal): Promise<void> {
  await endOtherSessionRows(tx, author, sessionIdOf(author));
}

export async function endOwnSession(tx: TenantTransaction, author: Principal): Promise<void> {
  await endSessionRow(tx, author, sessionIdOf(author));
}

/**
 * Returns the id of the caller's session.
 * @throws Error for other credentials, which routes about sessions do not accept
 */
export function sessionIdOf({ credential }: Principal): string {
  if (credential.kind !== 'session') throw new Error('a session route was called without a session');
  return credential.sessionId;
}

/** Returns claims for a new token of the caller's session. */
export function renewedClaims(principal: Principal, tokenVersion: number): SessionClaims {
  const { userId, credential } = principal;
  const isFromProvider = credential.kind === 'session' && credential.isFromProvider === true;
  return { userId, sessionId: sessionIdOf(principal), tokenVersion, isFromProvider };
}
