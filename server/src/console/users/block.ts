import type { User } from '@sluice/contract';
import { grantOpenAppeals, recordScoreEvent } from '#console/blocks/records.ts';
import { requireOtherBreakGlassAccount } from '#console/sign-in-policy/policy.ts';
import { lockTenantPlan } from '#db/lock-tenant-plan.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { restartScore } from '#domain/deviation/score.ts';
import type { Author, Principal } from '#domain/principal.ts';
import { mayManage } from '#domain/role.ts';
import { ConsoleError, notFound } from '#errors/console-error.ts';
import { readUser } from './read.ts';
import { changeUser, hasOtherAdministrator, lockUser, selectBlockThreshold } from './store.ts';

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

type Target = NonNullable<Awaited<ReturnType<typeof lockUser>>>;

/**
 * Returns the user to be changed and locks the row until the transaction ends.
 * @throws ConsoleError 404 if the tenant does not have the user, 403 if the user's role is above the caller's role
 */
export async function lockTarget(
  tx: TenantTransaction,
  { tenantId, role }: Author,
  userId: number,
): Promise<Target> {
  const target = await lockUser(tx, tenantId, userId);
  if (!target) throw notFound('User');
  if (!mayManage(role, target.role)) {
    throw new ConsoleError(403, 'Only a super administrator may manage a super administrator');
  }
  return target;
}

/**
 * Rejects service accounts, which never sign in.
 * @throws ConsoleError 409 if the user is a service account
 */
export function requirePerson({ kind }: Pick<Target, 'kind'>): void {
  if (kind === 'person') return;
  throw new ConsoleError(
    409,
    'A service account has no password and no second factor, since it never signs in',
  );
}

/** Returns the caller's own row and locks it until the transaction ends. */
export async function lockSelf(tx: TenantTransaction, { tenantId, userId }: Principal): Promise<Target> {
  const self = await lockUser(tx, tenantId, userId);
  if (!self) throw notFound('User');
  return self;
}

/**
 * Returns whether a tenant has no other active, unblocked administrator. The caller must hold the lock on the
 * tenant's plan.
 */
export const isLastAdministrator = async (tx: TenantTransaction, tenantId: number, userId: number) =>
  !(await hasOtherAdministrator(tx, tenantId, userId));

/**
 * Ensures that an administrator remains, even if several administrators remove or block each other concurrently.
 * @throws ConsoleError 409 unless another administrator is active and not blocked; if the tenant needs a break-glass
 * account, another one must also exist
 */
export async function requireOtherAdministrator(
  tx: TenantTransaction,
  { tenantId, role }: Author,
  userId: number,
): Promise<void> {
  await lockTenantPlan(tx, tenantId);
  if (role === 'super_admin') return;
  await requireOtherBreakGlassAccount(tx, tenantId, userId);
  if (!(await isLastAdministrator(tx, tenantId, userId))) return;
  throw new ConsoleError(
    409,
    'This is the last active administrator. Make another user an administrator first.',
  );
}
