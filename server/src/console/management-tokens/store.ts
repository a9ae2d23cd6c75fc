import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { managementTokens } from '#db/schema/management-tokens.ts';
import { users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';

interface TokenSelection {
  readonly id?: number | undefined;
  readonly userId?: number | undefined;
}

/** More than an organization creates; each user has few, which `stored_bounds` limits. */
const listedMax = 1_000;

const state = sql<'active' | 'expired' | 'revoked'>`CASE
  WHEN ${managementTokens.revokedAt} IS NOT NULL THEN 'revoked'
  WHEN ${managementTokens.expiresAt} <= now() THEN 'expired'
  ELSE 'active' END`;

/** Returns tokens with the names of their users, newest first. */
export function selectTokens(tx: TenantTransaction, tenantId: number, { id, userId }: TokenSelection) {
  return tx
    .select({ token: managementTokens, state, userName: users.name, userEmail: users.email })
    .from(managementTokens)
    .innerJoin(users, eq(users.id, managementTokens.userId))
    .where(
      and(
        eq(managementTokens.tenantId, tenantId),
        id === undefined ? undefined : eq(managementTokens.id, id),
        userId === undefined ? undefined : eq(managementTokens.userId, userId),
      ),
    )
    .orderBy(desc(managementTokens.id))
    .limit(listedMax);
}

export type TokenRow = Awaited<ReturnType<typeof selectTokens>>[number];

export async function insertToken(
  tx: TenantTransaction,
  token: typeof managementTokens.$inferInsert,
): Promise<number> {
  const [row] = await tx.insert(managementTokens).values(token).returning({ id: managementTokens.id });
  if (!row) throw new Error('the new management token was not stored');
  return row.id;
}

/** Revokes a token; repeating it changes nothing. */
export async function endToken(tx: TenantTransaction, tenantId: number, id: number): Promise<void> {
  await tx
    .update(managementTokens)
    .set({ revokedAt: sql`now()` })
    .where(
      and(
        eq(managementTokens.tenantId, tenantId),
        eq(managementTokens.id, id),
        isNull(managementTokens.revokedAt),
      ),
    );
}
