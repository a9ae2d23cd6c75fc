import type { ApiKey, ApiKeyKind, apiKeyStates } from '@sluice/contract';
import { and, count, desc, eq, gt, inArray, isNull, lt, ne, not, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { SpendOf } from '#console/analytics/spend.ts';
import { containsText } from '#db/contains-text.ts';
import { apiKeys } from '#db/schema/api-keys.ts';
import { budgets } from '#db/schema/budgets.ts';
import { tasks } from '#db/schema/tasks.ts';
import { users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { maskApiKey } from '#domain/api-key.ts';
import { totalCountMax } from '#domain/total-count.ts';

interface KeySelection {
  readonly id?: number | undefined;
  readonly userId?: number | undefined;
  readonly kind?: ApiKeyKind | undefined;
  readonly state?: 'usable' | 'ended' | undefined;
  readonly search?: string | undefined;
  /** Only returns keys with a lower id. */
  readonly before?: number | undefined;
}

const isUsable = and(
  isNull(apiKeys.revokedAt),
  or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, sql`now()`)),
) as SQL;

const state = sql<(typeof apiKeyStates)[number]>`CASE
  WHEN ${apiKeys.revokedAt} IS NOT NULL THEN 'revoked'
  WHEN ${apiKeys.expiresAt} <= now() THEN 'expired'
  WHEN ${apiKeys.supersededAt} IS NOT NULL THEN 'superseded'
  ELSE 'active' END`;

function conditionOf(tenantId: number, selection: KeySelection): SQL | undefined {
  const { id, userId, kind, search, before } = selection;
  return and(
    eq(apiKeys.tenantId, tenantId),
    id === undefined ? undefined : eq(apiKeys.id, id),
    userId === undefined ? undefined : eq(apiKeys.userId, userId),
    kind === undefined ? undefined : eq(apiKeys.kind, kind),
    before === undefined ? undefined : lt(apiKeys.id, before),
    selection.state === undefined ? undefined : selection.state === 'usable' ? isUsable : not(isUsable),
    search ? containsText(search, apiKeys.name, apiKeys.last4, users.name, users.email) : undefined,
  );
}

export function selectKeyRows(
  tx: TenantTransaction,
  tenantId: number,
  selection: KeySelection,
  { skip, limit }: { readonly skip: number; readonly limit: number },
) {
  const creator = alias(users, 'creator');
  return tx
    .select({
      key: apiKeys,
      state,
      userName: users.name,
      userEmail: users.email,
      taskTitle: tasks.title,
      creatorName: creator.name,
    })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .leftJoin(tasks, and(eq(tasks.id, apiKeys.taskId), eq(tasks.tenantId, apiKeys.tenantId)))
    .leftJoin(creator, eq(creator.id, apiKeys.createdBy))
    .where(conditionOf(tenantId, selection))
    .orderBy(desc(apiKeys.id))
    .offset(skip)
    .limit(limit);
}

type KeyRow = Awaited<ReturnType<typeof selectKeyRows>>[number];

/** Counts at most `totalCountMax + 1` keys. */
export async function countKeys(
  tx: TenantTransaction,
  tenantId: number,
  selection: KeySelection,
): Promise<number> {
  const counted = tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(conditionOf(tenantId, selection))
    .limit(totalCountMax + 1)
    .as('counted');
  const [row] = await tx.select({ total: count() }).from(counted);
  return row?.total ?? 0;
}

/** Counts a user's usable keys of one kind, excluding superseded keys. Lock the user before the call. */
export async function countLiveKeys(
  tx: TenantTransaction,
  { tenantId, userId, kind }: { tenantId: number; userId: number; kind: ApiKeyKind },
): Promise<number> {
  const [row] = await tx
    .select({ total: count() })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.tenantId, tenantId),
        eq(apiKeys.userId, userId),
        eq(apiKeys.kind, kind),
        isNull(apiKeys.supersededAt),
        isUsable,
      ),
    );
  return row?.total ?? 0;
}

export async function lockKey(tx: TenantTransaction, tenantId: number, id: number) {
  const [row] = await tx
    .select({ key: apiKeys, state })
    .from(apiKeys)
    .where(and(eq(apiKeys.tenantId, tenantId), eq(apiKeys.id, id)))
    .for('update');
  return row;
}

export type LockedKey = NonNullable<Awaited<ReturnType<typeof lockKey>>>;

export async function changeKey(
  tx: TenantTransaction,
  id: number,
  changes: Partial<typeof apiKeys.$inferInsert>,
): Promise<void> {
  // Drizzle rejects an UPDATE statement without columns.
  if (Object.values(changes).every((value) => value === undefined)) return;
  await tx.update(apiKeys).set(changes).where(eq(apiKeys.id, id));
}

export async function endKey(tx: TenantTransaction, id: number): Promise<void> {
  await tx
    .update(apiKeys)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)));
}

/** Changes the expiry of a locked key to `endsAt`, unless the key expires earlier. */
export async function supersedeLockedKey(tx: TenantTransaction, id: number, endsAt: Date): Promise<void> {
  await tx
    .update(apiKeys)
    .set({
      supersededAt: sql`now()`,
      expiresAt: sql`least(${apiKeys.expiresAt}, ${endsAt.toISOString()}::timestamptz)`,
    })
    .where(eq(apiKeys.id, id));
}

/** Revokes the keys replaced by a key, so that at most two keys of a chain are valid. */
export async function endReplacedKeys(tx: TenantTransaction, tenantId: number, id: number): Promise<void> {
  const replaced = tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.tenantId, tenantId), eq(apiKeys.replacedBy, id), ne(apiKeys.id, id)));
  await tx
    .update(apiKeys)
    .set({ revokedAt: sql`now()` })
    .where(and(inArray(apiKeys.id, replaced), isNull(apiKeys.revokedAt)));
}

/** Deletes the budgets of a user's revoked or expired task keys, because these budgets have no effect anymore. */
export async function deleteBudgetsOfEndedTaskKeys(
  tx: TenantTransaction,
  tenantId: number,
  userId: number,
): Promise<void> {
  const ended = tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.tenantId, tenantId),
        eq(apiKeys.userId, userId),
        eq(apiKeys.kind, 'task'),
        not(isUsable),
      ),
    );
  await tx.delete(budgets).where(and(eq(budgets.tenantId, tenantId), inArray(budgets.apiKeyId, ended)));
}

export function toApiKey(row: KeyRow, spendOf: SpendOf): ApiKey {
  const { key, state, userName, userEmail, taskTitle, creatorName } = row;
  const { id, name, kind, userId, scopes, models, dialects, networks, taskId, labels } = key;
  return {
    id,
    name,
    masked_key: maskApiKey(key.last4, key.origin),
    kind,
    state,
    user_id: userId,
    user_name: userName,
    user_email: userEmail,
    scopes,
    models,
    dialects,
    allowed_networks: networks,
    task_id: taskId,
    task_title: taskTitle,
    labels,
    created_at: key.createdAt.toISOString(),
    created_by: key.createdBy,
    created_by_name: creatorName,
    expires_at: key.expiresAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    last_used_address: key.lastUsedAddress,
    last_used_model: key.lastUsedModel,
    ...spendOf(id),
  };
}
