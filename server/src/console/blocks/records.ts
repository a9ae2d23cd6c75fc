import { and, desc, eq } from 'drizzle-orm';
import { appeals, scoreEvents } from '#db/schema/governance.ts';
import { users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';

export interface ScoreEventDraft {
  readonly tenantId: number;
  readonly userId: number;
  readonly actorId: number | null;
  readonly kind: 'block' | 'unblock' | 'appeal_grant' | 'appeal_deny';
  readonly scoreBefore: number;
  readonly scoreAfter: number;
  readonly reason: string;
}

/** Records a change of a user's standing that was not caused by a request. Uses the caller's transaction. */
export async function recordScoreEvent(tx: TenantTransaction, draft: ScoreEventDraft): Promise<void> {
  await tx.insert(scoreEvents).values(draft);
}

/** Finds the user's current block; `undefined` if the user is not blocked. */
export async function findCurrentBlock(tx: TenantTransaction, userId: number) {
  const [row] = await tx
    .select({ id: scoreEvents.id })
    .from(scoreEvents)
    .innerJoin(users, eq(users.id, scoreEvents.userId))
    .where(and(eq(scoreEvents.userId, userId), eq(scoreEvents.kind, 'block'), users.isBlocked))
    .orderBy(desc(scoreEvents.id))
    .limit(1);
  return row;
}

export async function grantOpenAppeals(
  tx: TenantTransaction,
  userId: number,
  decision: { note: string; decidedBy: number | null },
): Promise<void> {
  await tx
    .update(appeals)
    .set({ ...decision, status: 'granted', decidedAt: new Date() })
    .where(and(eq(appeals.userId, userId), eq(appeals.status, 'open')));
}
