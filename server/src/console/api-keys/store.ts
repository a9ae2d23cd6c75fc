import { apiKeyScopes } from '@sluice/contract';
import { and, desc, eq, isNull, lte, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { apiKeys } from '#db/schema/api-keys.ts';
import { users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';

/** The key in use, else the last one that was: `isExpired` is told by the database's clock. */
export async function findNewestKey(tx: TenantTransaction, tenantId: number, userId: number) {
  const [row] = await tx
    .select({
      name: apiKeys.name,
      last4: apiKeys.last4,
      scopes: apiKeys.scopes,
      isActive: sql<boolean>`${apiKeys.revokedAt} IS NULL AND ${apiKeys.supersededAt} IS NULL`,
      isExpired: sql<boolean>`coalesce(${apiKeys.expiresAt} <= now(), false)`,
      createdAt: apiKeys.createdAt,
      lastUsedAt: apiKeys.lastUsedAt,
      expiresAt: apiKeys.expiresAt,
    })
    .from(apiKeys)
    .where(and(eq(apiKeys.tenantId, tenantId), eq(apiKeys.userId, userId)))
    .orderBy(desc(apiKeys.id))
    .limit(1);
  return row;
}

export async function userExists(tx: TenantTransaction, tenantId: number, userId: number): Promise<boolean> {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.tenantId, tenantId), eq(users.id, userId)));
  return rows.length > 0;
}

export interface NewKey {
  tenantId: number;
  userId: number;
  name: string;
  keyHash: Buffer;
  last4: string;
  expiresAt: Date | null;
  createdBy: number | null;
}

/** `false` when the user has an active key already. */
export async function insertKey(tx: NodePgDatabase, key: NewKey): Promise<boolean> {
  const rows = await tx
    .insert(apiKeys)
    .values({ ...key, scopes: [...apiKeyScopes] })
    .onConflictDoNothing()
    .returning({ id: apiKeys.id });
  return rows.length > 0;
}

/** Revokes the keys of a user, or only those that have expired; answers how many. */
export async function revokeKeys(
  tx: TenantTransaction,
  tenantId: number,
  userId: number,
  which: 'all' | 'expired',
): Promise<number> {
  const rows = await tx
    .update(apiKeys)
    .set({ revokedAt: sql`now()` })
    .where(
      and(
        eq(apiKeys.tenantId, tenantId),
        eq(apiKeys.userId, userId),
        isNull(apiKeys.revokedAt),
        which === 'expired' ? lte(apiKeys.expiresAt, sql`now()`) : undefined,
      ),
    )
    .returning({ id: apiKeys.id });
  return rows.length;
}
