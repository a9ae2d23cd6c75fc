import { and, count, desc, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import { isLiveSession } from '#db/live-session.ts';
import { apiKeys } from '#db/schema/api-keys.ts';
import { deviceCodes, signedInTools } from '#db/schema/signed-in-tools.ts';
import { taskAssignments, tasks } from '#db/schema/tasks.ts';
import { sessions, users } from '#db/schema/users.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { TenantTransaction } from '#db/tenant.ts';

const sweptRows = 100;

export async function deleteExpiredCodes(tx: SystemDatabase, before: Date): Promise<void> {
  const expired = tx
    .select({ id: deviceCodes.id })
    .from(deviceCodes)
    .where(lt(deviceCodes.expiresAt, before))
    .limit(sweptRows)
    .for('update', { skipLocked: true });
  await tx.delete(deviceCodes).where(sql`${deviceCodes.id} IN ${expired}`);
}

export async function countCodes(tx: SystemDatabase, network: string, now: Date) {
  const isPending = and(eq(deviceCodes.state, 'pending'), gt(deviceCodes.expiresAt, now));
  const [ofNetwork] = await tx
    .select({ total: count() })
    .from(deviceCodes)
    .where(and(eq(deviceCodes.network, network), isPending));
  const [all] = await tx.select({ total: count() }).from(deviceCodes);
  return { pendingOfNetwork: ofNetwork?.total ?? 0, all: all?.total ?? 0 };
}

/** Returns `false` if one of the codes already exists. */
export async function insertCode(
  tx: SystemDatabase,
  code: typeof deviceCodes.$inferInsert,
): Promise<boolean> {
  const inserted = await tx
    .insert(deviceCodes)
    .values(code)
    .onConflictDoNothing()
    .returning({ id: deviceCodes.id });
  return inserted.length > 0;
}

export type DeviceCode = typeof deviceCodes.$inferSelect;

/**
 * Returns the device code of a poll and locks it until the transaction ends, so that two polls cannot both get a
 * token.
 */
export async function lockDeviceCode(tx: SystemDatabase, hash: Buffer): Promise<DeviceCode | undefined> {
  const [row] = await tx.select().from(deviceCodes).where(eq(deviceCodes.deviceCodeHash, hash)).for('update');
  return row;
}

const isPendingCode = (hash: Buffer, now: Date) =>
  and(eq(deviceCodes.userCodeHash, hash), eq(deviceCodes.state, 'pending'), gt(deviceCodes.expiresAt, now));

export async function findPendingCode(
  database: SystemDatabase,
  hash: Buffer,
  now: Date,
): Promise<DeviceCode | undefined> {
  const [row] = await database.select().from(deviceCodes).where(isPendingCode(hash, now));
  return row;
}

/** Returns a pending code and locks it, so that only one of several concurrent confirmations takes effect. */
export async function lockPendingCode(
  tx: SystemDatabase,
  hash: Buffer,
  now: Date,
): Promise<DeviceCode | undefined> {
  const [row] = await tx.select().from(deviceCodes).where(isPendingCode(hash, now)).for('update');
  return row;
}

export async function changeCode(
  tx: SystemDatabase,
  id: number,
  changes: Partial<typeof deviceCodes.$inferInsert>,
): Promise<void> {
  await tx.update(deviceCodes).set(changes).where(eq(deviceCodes.id, id));
}

export async function deleteCode(tx: SystemDatabase, id: number): Promise<void> {
  await tx.delete(deviceCodes).where(eq(deviceCodes.id, id));
}

/** Locks an open session and returns its expiry. A concurrent sign-out then also signs out the new tool. */
export async function lockOpenSession(tx: SystemDatabase, id: string): Promise<Date | undefined> {
  const [row] = await tx
    .select({ expiresAt: sessions.expiresAt })
    .from(sessions)
    .where(and(eq(sessions.id, id), isLiveSession))
    .for('share');
  return row?.expiresAt;
}

export async function insertTool(
  tx: SystemDatabase,
  tool: typeof signedInTools.$inferInsert,
): Promise<number> {
  const [row] = await tx.insert(signedInTools).values(tool).returning({ id: signedInTools.id });
  if (!row) throw new Error('the insert returned no row');
  return row.id;
}

export type Tool = typeof signedInTools.$inferSelect;

export async function findSessionOf(tx: SystemDatabase, toolId: number): Promise<string | undefined> {
  const [row] = await tx
    .select({ sessionId: signedInTools.sessionId })
    .from(signedInTools)
    .where(eq(signedInTools.id, toolId));
  return row?.sessionId;
}

/** Returns a tool in any state and locks it, so that a concurrent revocation also revokes its new key. */
export async function lockTool(
  tx: SystemDatabase,
  by: { readonly id: number } | { readonly familyHash: Buffer },
): Promise<Tool | undefined> {
  const isWanted = 'id' in by ? eq(signedInTools.id, by.id) : eq(signedInTools.familyHash, by.familyHash);
  const [row] = await tx.select().from(signedInTools).where(isWanted).for('update');
  return row;
}

export async function changeTool(
  tx: SystemDatabase,
  id: number,
  changes: Partial<typeof signedInTools.$inferInsert>,
): Promise<void> {
  await tx.update(signedInTools).set(changes).where(eq(signedInTools.id, id));
}

export async function findToolOfKey(
  database: SystemDatabase,
  keyHash: Buffer,
): Promise<{ toolId: number | null; userId: number } | undefined> {
  const [row] = await database
    .select({ toolId: apiKeys.toolId, userId: apiKeys.userId })
    .from(apiKeys)
    .where(eq(apiKeys.keyHash, keyHash));
  return row;
}

export async function findNamesOf(tx: SystemDatabase, { userId, taskId }: Pick<Tool, 'userId' | 'taskId'>) {
  const [row] = await tx
    .select({ name: users.name, email: users.email, taskTitle: tasks.title })
    .from(users)
    .innerJoin(tasks, eq(tasks.id, taskId))
    .where(eq(users.id, userId));
  return row;
}

interface Owner {
  readonly tenantId: number;
  readonly userId: number;
}

export function selectTools(tx: TenantTransaction, { tenantId, userId }: Owner, id?: number) {
  return tx
    .select({ tool: signedInTools, taskTitle: tasks.title })
    .from(signedInTools)
    .innerJoin(tasks, and(eq(tasks.id, signedInTools.taskId), eq(tasks.tenantId, signedInTools.tenantId)))
    .where(
      and(
        eq(signedInTools.tenantId, tenantId),
        eq(signedInTools.userId, userId),
        isNull(signedInTools.revokedAt),
        gt(signedInTools.expiresAt, sql`now()`),
        id === undefined ? undefined : eq(signedInTools.id, id),
      ),
    )
    .orderBy(desc(signedInTools.id));
}

/** Returns `false` if the user does not have this tool or it is no longer valid. */
export async function revokeToolRow(
  tx: TenantTransaction,
  { tenantId, userId }: Owner,
  id: number,
): Promise<boolean> {
  const revoked = await tx
    .update(signedInTools)
    .set({ revokedAt: sql`now()` })
    .where(
      and(
        eq(signedInTools.tenantId, tenantId),
        eq(signedInTools.userId, userId),
        eq(signedInTools.id, id),
        isNull(signedInTools.revokedAt),
        gt(signedInTools.expiresAt, sql`now()`),
      ),
    )
    .returning({ id: signedInTools.id });
  return revoked.length > 0;
}

const choicesMax = 200;

export function selectOpenTasks(tx: SystemDatabase, { tenantId, userId }: Owner) {
  return tx
    .select({ id: taskAssignments.id, title: tasks.title })
    .from(taskAssignments)
    .innerJoin(tasks, and(eq(tasks.id, taskAssignments.taskId), eq(tasks.tenantId, taskAssignments.tenantId)))
    .where(
      and(
        eq(taskAssignments.tenantId, tenantId),
        eq(taskAssignments.userId, userId),
        eq(taskAssignments.status, 'active'),
        eq(tasks.isActive, true),
        isNull(tasks.deletedAt),
      ),
    )
    .orderBy(desc(taskAssignments.id))
    .limit(choicesMax);
}
