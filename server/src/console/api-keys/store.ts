import type { ApiKeyKind, ApiKeyScope } from '@sluice/contract';
import { and, desc, eq, gt, isNotNull, isNull, lte, ne, type SQL, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { apiKeys } from '#db/schema/api-keys.ts';
import { users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';

/** Returns a user's keys, either of one kind or all, newest first. `isExpired` is based on the database clock. */
export function selectKeys(tx: TenantTransaction, tenantId: number, userId: number, kind?: ApiKeyKind) {
  return tx
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      last4: apiKeys.last4,
      scopes: apiKeys.scopes,
      models: apiKeys.models,
      dialects: apiKeys.dialects,
      networks: apiKeys.networks,
      taskId: apiKeys.taskId,
      kind: apiKeys.kind,
      origin: apiKeys.origin,
      lastUsedAddress: apiKeys.lastUsedAddress,
      lastUsedModel: apiKeys.lastUsedModel,
      labels: apiKeys.labels,
      isActive: sql<boolean>`${apiKeys.revokedAt} IS NULL AND ${apiKeys.supersededAt} IS NULL`,
      isExpired: sql<boolean>`coalesce(${apiKeys.expiresAt} <= now(), false)`,
      createdAt: apiKeys.createdAt,
      lastUsedAt: apiKeys.lastUsedAt,
      expiresAt: apiKeys.expiresAt,
    })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.tenantId, tenantId),
        eq(apiKeys.userId, userId),
        kind === undefined ? undefined : eq(apiKeys.kind, kind),
      ),
    )
    .orderBy(desc(apiKeys.id));
}

export async function findNewestKey(tx: TenantTransaction, tenantId: number, userId: number) {
  const [row] = await selectKeys(tx, tenantId, userId, 'primary').limit(1);
  return row;
}

export async function findFormerKey(tx: TenantTransaction, tenantId: number, userId: number) {
  const [row] = await tx
    .select({
      id: apiKeys.id,
      last4: apiKeys.last4,
      lastUsedAt: apiKeys.lastUsedAt,
      expiresAt: apiKeys.expiresAt,
    })
    .from(apiKeys)
    .where(
      and(isKeptBy(tenantId, userId), isNotNull(apiKeys.supersededAt), gt(apiKeys.expiresAt, sql`now()`)),
    )
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

/**
 * Returns the number of seconds after which a user will have created fewer than `max` keys in 24 hours; `null` if this
 * is already the case. Task keys do not count.
 */
export async function findWaitForNewKey(
  tx: TenantTransaction,
  tenantId: number,
  userId: number,
  max: number,
): Promise<number | null> {
  const waitSeconds = sql<number>`ceil(extract(epoch FROM ${apiKeys.createdAt} + interval '24 hours' - now()))::integer`;
  const [row] = await tx
    .select({ waitSeconds })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.tenantId, tenantId),
        eq(apiKeys.userId, userId),
        ne(apiKeys.kind, 'task'),
        gt(apiKeys.createdAt, sql`now() - interval '24 hours'`),
      ),
    )
    .orderBy(desc(apiKeys.id))
    .offset(max - 1)
    .limit(1);
  return row ? Math.max(1, row.waitSeconds) : null;
}

type KeyValues = typeof apiKeys.$inferInsert;

/** Key to insert, including its restrictions. An unrestricted primary key by default. */
export interface NewKey
  extends Pick<KeyValues, 'tenantId' | 'userId' | 'name' | 'keyHash' | 'last4'>,
    Partial<
      Pick<
        KeyValues,
        'kind' | 'origin' | 'models' | 'dialects' | 'networks' | 'taskId' | 'labels' | 'mintedBy' | 'toolId'
      >
    > {
  readonly scopes: readonly ApiKeyScope[];
  readonly expiresAt: Date | null;
  readonly createdBy: number | null;
}

/** Inserts a key and returns its id, or `null` if the key is a primary key and the user already has an active one. */
export async function insertKey(tx: NodePgDatabase, key: NewKey): Promise<number | null> {
  const [row] = await tx
    .insert(apiKeys)
    .values({ ...key, scopes: [...key.scopes] })
    .onConflictDoNothing()
    .returning({ id: apiKeys.id });
  return row?.id ?? null;
}

const revocable = {
  all: () => undefined,
  expired: () => lte(apiKeys.expiresAt, sql`now()`),
  superseded: () => isNotNull(apiKeys.supersededAt),
} satisfies Record<string, () => SQL | undefined>;

/** Revokes primary keys of a user and returns their number. */
export async function revokeKeys(
  tx: TenantTransaction,
  tenantId: number,
  userId: number,
  which: keyof typeof revocable,
): Promise<number> {
  const rows = await tx
    .update(apiKeys)
    .set({ revokedAt: sql`now()` })
    .where(and(isKeptBy(tenantId, userId), revocable[which]()))
    .returning({ id: apiKeys.id });
  return rows.length;
}

export async function revokeEveryKey(
  tx: TenantTransaction,
  tenantId: number,
  userId: number,
): Promise<number> {
  const rows = await tx
    .update(apiKeys)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(apiKeys.tenantId, tenantId), eq(apiKeys.userId, userId), isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id });
  return rows.length;
}

/**
 * Changes the expiry of the active primary key to `endsAt`, unless it expires earlier, so that a new key can be
 * created.
 */
export async function supersedeKey(
  tx: TenantTransaction,
  tenantId: number,
  userId: number,
  endsAt: Date,
): Promise<void> {
  await tx
    .update(apiKeys)
    .set({
      supersededAt: sql`now()`,
      expiresAt: sql`least(${apiKeys.expiresAt}, ${endsAt.toISOString()}::timestamptz)`,
    })
    .where(and(isKeptBy(tenantId, userId), isNull(apiKeys.supersededAt)));
}

const isKeptBy = (tenantId: number, userId: number) =>
  and(
    eq(apiKeys.tenantId, tenantId),
    eq(apiKeys.userId, userId),
    eq(apiKeys.kind, 'primary'),
    isNull(apiKeys.revokedAt),
  );
