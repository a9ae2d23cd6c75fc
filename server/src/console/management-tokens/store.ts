import { and, count, desc, eq, gt, isNull, lt, not, type SQL, sql } from 'drizzle-orm';
import { containsText } from '#db/contains-text.ts';
import { managementTokens } from '#db/schema/management-tokens.ts';
import { users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { totalCountMax } from '#domain/total-count.ts';

interface TokenSelection {
  readonly id?: number | undefined;
  readonly userId?: number | undefined;
  /** `ended` includes expired and revoked tokens. */
  readonly state?: 'active' | 'ended' | undefined;
  readonly search?: string | undefined;
  /** Only returns tokens with a lower id. */
  readonly before?: number | undefined;
}

const state = sql<'active' | 'expired' | 'revoked'>`CASE
  WHEN ${managementTokens.revokedAt} IS NOT NULL THEN 'revoked'
  WHEN ${managementTokens.expiresAt} <= now() THEN 'expired'
  ELSE 'active' END`;

// safe because `and` returns undefined only without conditions
const isValid = and(isNull(managementTokens.revokedAt), gt(managementTokens.expiresAt, sql`now()`)) as SQL;

function conditionOf(tenantId: number, selection: TokenSelection): SQL | undefined {
  const { id, userId, search, before } = selection;
  return and(
    eq(managementTokens.tenantId, tenantId),
    id === undefined ? undefined : eq(managementTokens.id, id),
    userId === undefined ? undefined : eq(managementTokens.userId, userId),
    before === undefined ? undefined : lt(managementTokens.id, before),
    selection.state === undefined ? undefined : selection.state === 'active' ? isValid : not(isValid),
    search
      ? containsText(search, managementTokens.name, managementTokens.last4, users.name, users.email)
      : undefined,
  );
}

export function selectTokens(
  tx: TenantTransaction,
  tenantId: number,
  selection: TokenSelection,
  { skip, limit }: { readonly skip: number; readonly limit: number },
) {
  return tx
    .select({
      token: managementTokens,
      state,
      userName: users.name,
      userEmail: users.email,
      userKind: users.kind,
    })
    .from(managementTokens)
    .innerJoin(users, eq(users.id, managementTokens.userId))
    .where(conditionOf(tenantId, selection))
    .orderBy(desc(managementTokens.id))
    .offset(skip)
    .limit(limit);
}

export type TokenRow = Awaited<ReturnType<typeof selectTokens>>[number];

/** Counts at most `totalCountMax + 1` tokens. */
export async function countTokens(
  tx: TenantTransaction,
  tenantId: number,
  selection: TokenSelection,
): Promise<number> {
  const counted = tx
    .select({ id: managementTokens.id })
    .from(managementTokens)
    .innerJoin(users, eq(users.id, managementTokens.userId))
    .where(conditionOf(tenantId, selection))
    .limit(totalCountMax + 1)
    .as('counted');
  const [row] = await tx.select({ total: count() }).from(counted);
  return row?.total ?? 0;
}

export async function countValidTokens(
  tx: TenantTransaction,
  tenantId: number,
  userId: number,
): Promise<number> {
  const [row] = await tx
    .select({ total: count() })
    .from(managementTokens)
    .where(conditionOf(tenantId, { userId, state: 'active' }));
  return row?.total ?? 0;
}

export async function insertToken(
  tx: TenantTransaction,
  token: typeof managementTokens.$inferInsert,
): Promise<number> {
  const [row] = await tx.insert(managementTokens).values(token).returning({ id: managementTokens.id });
  if (!row) throw new Error('the new management token was not stored');
  return row.id;
}

/** Has no effect if the token is already revoked. */
export async function endToken(tx: TenantTransaction, tenantId: number, id: number): Promise<void> {
  await tx
    .update(managementTokens)
    .set({ revokedAt: sql`now()` })
    .where(and(conditionOf(tenantId, { id }), isNull(managementTokens.revokedAt)));
}
