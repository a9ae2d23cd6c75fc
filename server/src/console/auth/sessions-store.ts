import { and, desc, eq, exists, ne, type SQL, sql } from 'drizzle-orm';
import { isLiveSession } from '#db/live-session.ts';
import { sessions, users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';

export interface SessionOwner {
  readonly tenantId: number;
  readonly userId: number;
}

const lastUsedAt = sql<Date>`coalesce(${sessions.lastUsedAt}, ${sessions.createdAt})`.mapWith(
  sessions.createdAt,
);

export function selectSessions(tx: TenantTransaction, owner: SessionOwner) {
  return tx
    .select({
      id: sessions.id,
      createdAt: sessions.createdAt,
      lastUsedAt,
      expiresAt: sessions.expiresAt,
      address: sessions.address,
      userAgent: sessions.userAgent,
    })
    .from(sessions)
    .where(isAlive(owner))
    .orderBy(desc(lastUsedAt), desc(sessions.id));
}

/** Ends a session. Returns `false` if the user has no such session. */
export async function endSessionRow(
  tx: TenantTransaction,
  owner: SessionOwner,
  sessionId: string,
): Promise<boolean> {
  const ended = await endAlive(tx, owner, eq(sessions.id, sessionId));
  return ended.length > 0;
}

export async function endOtherSessionRows(
  tx: TenantTransaction,
  owner: SessionOwner,
  keptId: string,
): Promise<void> {
  await endAlive(tx, owner, ne(sessions.id, keptId));
}

function endAlive(tx: TenantTransaction, owner: SessionOwner, which: SQL) {
  return tx
    .update(sessions)
    .set({ endedAt: sql`now()` })
    .where(and(isAlive(owner), which))
    .returning({ id: sessions.id });
}

const isAlive = ({ tenantId, userId }: SessionOwner) =>
  and(eq(sessions.tenantId, tenantId), eq(sessions.userId, userId), isLiveSession);

export async function findPasswordHash(
  tx: TenantTransaction,
  { tenantId, userId }: SessionOwner,
): Promise<string | undefined> {
  const [row] = await tx
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(and(eq(users.tenantId, tenantId), eq(users.id, userId)));
  return row?.passwordHash;
}

/**
 * Changes the password, which ends all sessions. Returns the new token version, or `undefined` if the password was
 * changed concurrently or the session has ended.
 */
export async function changePasswordHash(
  tx: TenantTransaction,
  owner: SessionOwner,
  { sessionId, ...hashes }: { sessionId: string; old: string; new: string },
): Promise<number | undefined> {
  const isUser = and(eq(users.tenantId, owner.tenantId), eq(users.id, owner.userId));
  await tx.select({ id: users.id }).from(users).where(isUser).for('no key update');
  const session = tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(isAlive(owner), eq(sessions.id, sessionId)));
  const [row] = await tx
    .update(users)
    .set({ passwordHash: hashes.new, tokenVersion: sql`${users.tokenVersion} + 1` })
    .where(and(isUser, eq(users.passwordHash, hashes.old), exists(session)))
    .returning({ tokenVersion: users.tokenVersion });
  return row?.tokenVersion;
}

/** Updates a session to the user's new token version, so that it remains valid. */
export async function renewSession(
  tx: TenantTransaction,
  { tenantId, userId }: SessionOwner,
  { id, ...renewed }: { id: string; tokenVersion: number; expiresAt: Date; provedAt?: Date },
): Promise<void> {
  await tx
    .update(sessions)
    .set(renewed)
    .where(and(eq(sessions.tenantId, tenantId), eq(sessions.userId, userId), eq(sessions.id, id)));
}
