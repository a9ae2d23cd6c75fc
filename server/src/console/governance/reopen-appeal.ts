import type { Appeal } from '@sluice/contract';
import { lockTarget } from '#console/users/lock-target.ts';
import { ConsoleError, notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { findAppeal, findCurrentBlock, reopenDeniedAppeal } from './appeals-store.ts';
import { readAppeal } from './create-appeal.ts';

/** Reopens a denied appeal while its block is in force. */
export function reopenAppeal({ principal, inTenant }: SignedInContext, appealId: number): Promise<Appeal> {
  const { tenantId, userId: actorId } = principal;
  return inTenant(async (tx) => {
    const appeal = await findAppeal(tx, tenantId, appealId);
    if (!appeal) throw notFound('Appeal');
    if (appeal.userId === actorId) throw new ConsoleError(403, 'You cannot decide your own appeal');
    await lockTarget(tx, principal, appeal.userId);
    const block = await findCurrentBlock(tx, appeal.userId);
    if (block?.id !== appeal.blockId) {
      throw new ConsoleError(409, 'The block that this appeal was about has been lifted');
    }
    if (!(await reopenDeniedAppeal(tx, appealId))) throw new ConsoleError(409, 'This appeal was not denied');
    return readAppeal(tx, tenantId, appealId);
  });
}
