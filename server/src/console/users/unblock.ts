import type { User } from '@sluice/contract';
import type { SignedInContext } from '#http/console-route.ts';
import { readUser } from './get.ts';
import { lockTarget } from './lock-target.ts';
import { changeUser } from './store.ts';

export async function unblockUser(ctx: SignedInContext, userId: number): Promise<User> {
  return ctx.inTenant(async (tx) => {
    await lockTarget(tx, ctx.principal, userId);
    await changeUser(tx, userId, {
      isBlocked: false,
      blockedReason: null,
      blockedAt: null,
      blockedBy: null,
      endsSessions: false,
    });
    return readUser(tx, ctx.principal.tenantId, userId);
  });
}
