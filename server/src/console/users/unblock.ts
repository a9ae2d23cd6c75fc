import type { User } from '@sluice/contract';
import type { SignedInContext } from '#http/console-route.ts';
import { readUser } from './get.ts';
import { liftBlock } from './lift-block.ts';
import { lockTarget } from './lock-target.ts';

/** The answer tells the score that the person starts with again. Who is not blocked stays as they are. */
export async function unblockUser(ctx: SignedInContext, userId: number): Promise<User> {
  return ctx.inTenant(async (tx) => {
    const target = await lockTarget(tx, ctx.principal, userId);
    if (target.isBlocked) {
      await liftBlock(tx, ctx.principal, target, {
        kind: 'unblock',
        reason: 'An administrator lifted the block',
      });
    }
    return readUser(tx, ctx.principal.tenantId, userId);
  });
}
