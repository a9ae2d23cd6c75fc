import type { Appeal } from '@sluice/contract';
import { liftBlock } from '#console/users/lift-block.ts';
import { lockTarget } from '#console/users/lock-target.ts';
import { ConsoleError } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { closeAppeal } from './appeals-store.ts';
import { readAppeal } from './create-appeal.ts';
import { recordScoreEvent } from './record-score-event.ts';

/** Decides an appeal for good. Granting lifts the block and lowers the score; denying changes neither. */
export function decideAppeal(
  { principal, inTenant }: SignedInContext,
  appealId: number,
  { decision, note }: { decision: 'grant' | 'deny'; note: string },
): Promise<Appeal> {
  const { tenantId, userId: actorId } = principal;
  return inTenant(async (tx) => {
    const { user_id: userId } = await readAppeal(tx, tenantId, appealId);
    if (userId === actorId) throw new ConsoleError(403, 'You cannot decide your own appeal');
    const target = await lockTarget(tx, principal, userId);
    const status = decision === 'grant' ? 'granted' : 'denied';
    if (!(await closeAppeal(tx, appealId, { status, note, decidedBy: actorId }))) {
      throw new ConsoleError(409, 'This appeal has already been decided');
    }
    const { deviationScore: score, isBlocked } = target;
    if (decision === 'deny') {
      const event = { tenantId, userId, actorId, scoreBefore: score, scoreAfter: score, reason: note };
      await recordScoreEvent(tx, { ...event, kind: 'appeal_deny' });
    } else if (isBlocked) {
      await liftBlock(tx, principal, target, { kind: 'appeal_grant', reason: note });
    }
    return readAppeal(tx, tenantId, appealId);
  });
}
