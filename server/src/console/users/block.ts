import type { User } from '@sluice/contract';
import { recordScoreEvent } from '#console/governance/record-score-event.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import { ConsoleError } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { readUser } from './get.ts';
import { lockTarget } from './lock-target.ts';
import { changeUser } from './store.ts';

/** Blocks a user at the gateway, who can still sign in and read the reason. */
export async function blockUser(ctx: SignedInContext, userId: number, reason: string): Promise<User> {
  return ctx.inTenant((tx) => blockPerson(tx, ctx.principal, userId, reason));
}

export async function blockPerson(
  tx: TenantTransaction,
  author: Author,
  userId: number,
  reason: string,
): Promise<User> {
  const { userId: actorId, tenantId } = author;
  if (userId === actorId) throw new ConsoleError(403, 'You cannot block yourself');
  const { deviationScore: score } = await lockTarget(tx, author, userId);
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
