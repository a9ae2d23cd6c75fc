import type { OpenSession } from '@sluice/contract';
import type { SignedInContext } from '#http/console-route.ts';
import { sessionIdOf } from './session-id-of.ts';
import { selectSessions } from './sessions-store.ts';

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
