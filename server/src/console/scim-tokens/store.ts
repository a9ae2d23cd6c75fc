import { and, asc, DrizzleQueryError, eq, gt, isNull, or, sql } from 'drizzle-orm';
import pg from 'pg';
import { scimTokens } from '#db/schema/scim-tokens.ts';
import { users } from '#db/schema/users.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { invalidField } from '#errors/console-error.ts';

const columns = {
  id: scimTokens.id,
  name: scimTokens.name,
  last4: scimTokens.last4,
  canAssignRoles: scimTokens.canAssignRoles,
  createdByName: users.name,
  createdAt: scimTokens.createdAt,
  lastUsedAt: scimTokens.lastUsedAt,
  expiresAt: scimTokens.expiresAt,
  isExpired: sql<boolean>`${scimTokens.expiresAt} <= now()`,
  formerExpiresAt:
    sql`CASE WHEN ${scimTokens.formerExpiresAt} > now() THEN ${scimTokens.formerExpiresAt} END`.mapWith(
      scimTokens.formerExpiresAt,
    ),
};

export async function selectTokens(tx: TenantTransaction, tenantId: number, tokenId?: number) {
  return tx
    .select(columns)
    .from(scimTokens)
    .leftJoin(users, eq(users.id, scimTokens.createdBy))
    .where(
      and(
        eq(scimTokens.tenantId, tenantId),
        isNull(scimTokens.revokedAt),
        tokenId === undefined ? undefined : eq(scimTokens.id, tokenId),
      ),
    )
    .orderBy(asc(scimTokens.id));
}

export type ScimTokenRow = Awaited<ReturnType<typeof selectTokens>>[number];

/** @throws ConsoleError 422 if the tenant already has a token with this name */
export async function insertToken(
  tx: TenantTransaction,
  values: typeof scimTokens.$inferInsert,
): Promise<number> {
  const [row] = await explained(tx.insert(scimTokens).values(values).returning({ id: scimTokens.id }));
  if (!row) throw new Error('the insert returned no row');
  return row.id;
}

export interface LockedToken {
  readonly tokenHash: Buffer;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export async function lockToken(
  tx: TenantTransaction,
  tenantId: number,
  tokenId: number,
): Promise<LockedToken | undefined> {
  const [row] = await tx
    .select({
      tokenHash: scimTokens.tokenHash,
      createdAt: scimTokens.createdAt,
      expiresAt: scimTokens.expiresAt,
    })
    .from(scimTokens)
    .where(and(eq(scimTokens.tenantId, tenantId), eq(scimTokens.id, tokenId), isNull(scimTokens.revokedAt)))
    .for('no key update');
  return row;
}

/** @throws ConsoleError 422 if the tenant has another token with this name */
export async function changeToken(
  tx: TenantTransaction,
  tokenId: number,
  values: Partial<typeof scimTokens.$inferInsert>,
): Promise<void> {
  await explained(tx.update(scimTokens).set(values).where(eq(scimTokens.id, tokenId)));
}

/**
 * Finds a valid token in any tenant by the hash of its secret. During the overlap period, also accepts the hash of
 * the previous secret.
 */
export async function findTokenByHash(database: SystemDatabase, hash: Buffer) {
  const [row] = await database
    .select({
      id: scimTokens.id,
      name: scimTokens.name,
      tenantId: scimTokens.tenantId,
      canAssignRoles: scimTokens.canAssignRoles,
      isUseKnown: sql<boolean>`coalesce(${scimTokens.lastUsedAt} > now() - interval '1 minute', false)`,
    })
    .from(scimTokens)
    .where(
      and(
        isNull(scimTokens.revokedAt),
        or(
          and(eq(scimTokens.tokenHash, hash), gt(scimTokens.expiresAt, sql`now()`)),
          and(eq(scimTokens.formerHash, hash), gt(scimTokens.formerExpiresAt, sql`now()`)),
        ),
      ),
    );
  return row;
}

export async function noteTokenUse(database: SystemDatabase, tokenId: number): Promise<void> {
  await database.update(scimTokens).set({ lastUsedAt: sql`now()` }).where(eq(scimTokens.id, tokenId));
}

async function explained<Result>(query: Promise<Result>): Promise<Result> {
  try {
    return await query;
  } catch (error) {
    const cause = error instanceof DrizzleQueryError ? error.cause : undefined;
    if (cause instanceof pg.DatabaseError && cause.constraint === 'scim_tokens_name') {
      throw invalidField('name', 'A SCIM token with this name already exists');
    }
    throw error;
  }
}
