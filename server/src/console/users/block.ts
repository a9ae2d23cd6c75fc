import type { User } from '@sluice/contract';
import { recordScoreEvent } from '#console/governance/record-score-event.ts';
import { ConsoleError } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { readUser } from './get.ts';
import { lockTarget } from './lock-target.ts';
import { changeUser } from './store.ts';

/** Shuts the gate for a person, who may still sign in and read the reason. */
export async function blockUser(ctx: SignedInContext, userId: number, reason: string): Promise<User> {
  if (userId === ctx.principal.userId) throw new ConsoleError(403, 'You cannot block yourself');
  return ctx.inTenant(async (tx) => {
    const { deviationScore: score } = await lockTarget(tx, ctx.principal, userId);
    await changeUser(tx, userId, {
      isBlocked: true,
      blockedReason: reason,
      blockedAt: new Date(),
      blockedBy: ctx.principal.userId,
      endsSessions: true,
    });
    await recordScoreEvent(tx, {
      tenantId: ctx.principal.tenantId,
      userId,
      actorId: ctx.principal.userId,
      kind: 'block',
      scoreBefore: score,
      scoreAfter: score,
      reason,
    });
    return readUser(tx, ctx.principal.tenantId, userId);
  });
}
