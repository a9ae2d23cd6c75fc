import { grantOpenAppeals } from '#console/governance/appeals-store.ts';
import { recordScoreEvent } from '#console/governance/record-score-event.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { restartScore } from '#domain/deviation/score.ts';
import type { Author } from '#domain/principal.ts';
import type { Target } from './lock-target.ts';
import { changeUser, selectBlockThreshold } from './store.ts';

export interface Lifting {
  readonly kind: 'unblock' | 'appeal_grant';
  readonly reason: string;
}

/**
 * Lifts a user's block and grants an open appeal. Limits the score to half the tenant's block threshold, or the next
 * request would block again; both changes are recorded.
 */
export async function liftBlock(
  tx: TenantTransaction,
  { userId: actorId, tenantId }: Author,
  { id: userId, deviationScore: scoreBefore, deviationScoredAt: scoredAt }: Target,
  { kind, reason }: Lifting,
): Promise<void> {
  const scoreAfter = restartScore(scoreBefore, await selectBlockThreshold(tx, tenantId));
  // Later than any known score update despite clock skew, so that nodes accept it as newer.
  const deviationScoredAt = new Date(Math.max(Date.now(), (scoredAt?.getTime() ?? 0) + 1));
  await changeUser(tx, userId, {
    isBlocked: false,
    blockedReason: null,
    blockedAt: null,
    blockedBy: null,
    deviationScore: scoreAfter,
    deviationScoredAt,
    endsSessions: false,
  });
  await grantOpenAppeals(tx, userId, { note: reason, decidedBy: actorId });
  await recordScoreEvent(tx, { tenantId, userId, actorId, kind, scoreBefore, scoreAfter, reason });
}
