import type { User } from '@sluice/contract';
import { grantOpenAppeals, recordScoreEvent } from '#console/blocks/records.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { restartScore } from '#domain/deviation/score.ts';
import type { Author } from '#domain/principal.ts';
import { ConsoleError } from '#errors/console-error.ts';
import { requireOtherAdministrator } from './last-administrator.ts';
import { readUser } from './read.ts';
import { changeUser, selectBlockThreshold } from './store.ts';
import { lockTarget, type Target } from './target.ts';

/** The user can still sign in and read the reason. */
export async function blockUser(
  tx: TenantTransaction,
  author: Author,
  { userId, reason }: { readonly userId: number; readonly reason: string },
): Promise<User> {
  const { userId: actorId, tenantId } = author;
  if (userId === actorId) throw new ConsoleError(403, 'You cannot block yourself');
  const { deviationScore: score, isActive, role } = await lockTarget(tx, author, userId);
  if (isActive && role !== 'user') await requireOtherAdministrator(tx, author, userId);
  await changeUser(tx, userId, {
    isBlocked: true,
    blockedReason: reason,
    blockedAt: new Date(),
    blockedBy: actorId,
    endsSessions: true,
  });
  const scores = { scoreBefore: score, scoreAfter: score };
  await recordScoreEvent(tx, { tenantId, userId, actorId, kind: 'block', ...scores, reason });
  return readUser(tx, tenantId, userId);
}

/** Has no effect if the user is not blocked. */
export async function unblockUser(tx: TenantTransaction, author: Author, userId: number): Promise<User> {
  const target = await lockTarget(tx, author, userId);
  const reason = 'An administrator lifted the block';
  if (target.isBlocked) await liftBlock(tx, author, target, { kind: 'unblock', reason });
  return readUser(tx, author.tenantId, userId);
}

export interface Lifting {
  readonly kind: 'unblock' | 'appeal_grant';
  readonly reason: string;
}

/**
 * Lifts a user's block and grants an open appeal. Reduces the score to at most half the tenant's block threshold,
 * because the next request could otherwise block the user again. Both changes are recorded.
 */
export async function liftBlock(
  tx: TenantTransaction,
  { userId: actorId, tenantId }: Author,
  { id: userId, deviationScore: scoreBefore, deviationScoredAt: scoredAt }: Target,
  { kind, reason }: Lifting,
): Promise<void> {
  const scoreAfter = restartScore(scoreBefore, await selectBlockThreshold(tx, tenantId));
  // Use a time later than any known score update, even with clock skew, so that nodes accept the change as newer.
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
