import type { CurrentUser, OpenSession } from '@sluice/contract';
import { readPreferences } from '#console/preferences/preferences.ts';
import { readPermissions } from '#console/teams/read-permissions.ts';
import type { Principal } from '#domain/principal.ts';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { endOtherSessionRows, endSessionRow, selectSessions } from './sessions-store.ts';
import { findTenant } from './store.ts';

/** Lists the caller's open sessions. */
export async function listSessions({ principal, inTenant }: SignedInContext): Promise<OpenSession[]> {
  const rows = await inTenant((tx) => selectSessions(tx, principal));
  return rows.map((row) => ({
    id: row.id,
    created_at: row.createdAt.toISOString(),
    last_used_at: row.lastUsedAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    address: row.address,
    user_agent: row.userAgent,
    is_current: row.id === sessionIdOf(principal),
  }));
}

/**
 * Ends one of the caller's sessions.
 * @throws ConsoleError 404 if the session has ended or belongs to another user.
 */
export async function endSession({ principal, inTenant }: SignedInContext, id: string): Promise<void> {
  const isEnded = await inTenant((tx) => endSessionRow(tx, principal, id));
  if (!isEnded) throw notFound('Session');
}

/** Ends all of the caller's sessions except the current one. */
export async function endOtherSessions({ principal, inTenant }: SignedInContext): Promise<void> {
  await inTenant((tx) => endOtherSessionRows(tx, principal, sessionIdOf(principal)));
}

/** Ends the caller's session on every node. */
export async function logOut({ principal, inTenant }: SignedInContext): Promise<void> {
  await inTenant((tx) => endSessionRow(tx, principal, sessionIdOf(principal)));
}

/** Returns the id of the caller's session; the console does not accept API keys. */
export function sessionIdOf({ credential }: Principal): string {
  if (credential.kind !== 'session') throw new Error('an API key reached a console route');
  return credential.sessionId;
}

/** Returns the caller, the effective tenant and the current permissions. */
export async function getCurrentUser({ principal, inTenant }: SignedInContext): Promise<CurrentUser> {
  const { tenant, preferences, permissions } = await inTenant(async (tx) => ({
    tenant: await findTenant(tx, principal.tenantId),
    preferences: await readPreferences(tx, principal),
    permissions: await readPermissions(tx, principal),
  }));
  if (!tenant) throw notFound('Tenant');
  return {
    id: principal.userId,
    name: principal.name,
    email: principal.email,
    role: { name: principal.role, permissions },
    tenant,
    preferences,
  };
}
