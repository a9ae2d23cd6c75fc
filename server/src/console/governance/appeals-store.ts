import type { appealStatuses } from '@sluice/contract';
import { and, desc, eq, lt, type SQL } from 'drizzle-orm';
import { appeals, scoreEvents } from '#db/schema/governance.ts';
import { users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';

export type AppealStatus = (typeof appealStatuses)[number];

const appealColumns = {
  id: appeals.id,
  userId: appeals.userId,
  userName: users.name,
  userEmail: users.email,
  status: appeals.status,
  message: appeals.message,
  blockId: appeals.scoreEventId,
  createdAt: appeals.createdAt,
  blockReason: scoreEvents.reason,
  blockScore: scoreEvents.scoreAfter,
  blockRequestId: scoreEvents.requestId,
  blockedAt: scoreEvents.createdAt,
  note: appeals.note,
  decidedAt: appeals.decidedAt,
};

function selectAppeals(tx: TenantTransaction, condition: SQL | undefined) {
  return tx
    .select(appealColumns)
    .from(appeals)
    .innerJoin(scoreEvents, eq(scoreEvents.id, appeals.scoreEventId))
    .innerJoin(users, eq(users.id, appeals.userId))
    .where(condition)
    .orderBy(desc(appeals.id));
}

export type AppealRow = Awaited<ReturnType<typeof selectAppeals>>[number];

export async function findAppeal(tx: TenantTransaction, tenantId: number, appealId: number) {
  const [row] = await selectAppeals(tx, and(eq(appeals.tenantId, tenantId), eq(appeals.id, appealId)));
  return row;
}

export function selectAppealsOf(tx: TenantTransaction, userId: number): Promise<AppealRow[]> {
  return selectAppeals(tx, eq(appeals.userId, userId));
}

export interface AppealPage {
  readonly status?: AppealStatus | undefined;
  /** Only returns appeals with a lower id. */
  readonly before?: number | undefined;
  readonly skip: number;
  readonly limit: number;
}

export function selectAppealPage(
  tx: TenantTransaction,
  tenantId: number,
  { status, before, skip, limit }: AppealPage,
): Promise<AppealRow[]> {
  const ofStatus = status === undefined ? undefined : eq(appeals.status, status);
  const isOlder = before === undefined ? undefined : lt(appeals.id, before);
  return selectAppeals(tx, and(eq(appeals.tenantId, tenantId), ofStatus, isOlder))
    .offset(skip)
    .limit(limit);
}

/** Inserts an appeal and returns its id, or `undefined` if the block already has an appeal. */
export async function insertAppeal(
  tx: TenantTransaction,
  values: typeof appeals.$inferInsert,
): Promise<number | undefined> {
  const [row] = await tx
    .insert(appeals)
    .values(values)
    .onConflictDoNothing({ target: appeals.scoreEventId })
    .returning({ id: appeals.id });
  return row?.id;
}

/** Reopens a denied appeal. Returns `false` if the appeal is not denied. */
export async function reopenDeniedAppeal(tx: TenantTransaction, appealId: number): Promise<boolean> {
  const reopened = await tx
    .update(appeals)
    .set({ status: 'open', note: null, decidedBy: null, decidedAt: null })
    .where(and(eq(appeals.id, appealId), eq(appeals.status, 'denied')))
    .returning({ id: appeals.id });
  return reopened.length === 1;
}

/** Closes an appeal. Returns `false` if the appeal was already decided. */
export async function closeAppeal(
  tx: TenantTransaction,
  appealId: number,
  decision: { status: 'granted' | 'denied'; note: string; decidedBy: number },
): Promise<boolean> {
  const closed = await tx
    .update(appeals)
    .set({ ...decision, decidedAt: new Date() })
    .where(and(eq(appeals.id, appealId), eq(appeals.status, 'open')))
    .returning({ id: appeals.id });
  return closed.length === 1;
}
