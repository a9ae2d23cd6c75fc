import type { User } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { readUser } from './get.ts';
import { liftBlock } from './lift-block.ts';
import { lockTarget } from './lock-target.ts';

/** Lifts a block and returns the user with the new score; no effect on users who are not blocked. */
export async function unblockUser(ctx: SignedInContext, userId: number): Promise<User> {
  return ctx.inTenant((tx) => unblockPerson(tx, ctx.principal, userId));
}

export async function unblockPerson(tx: TenantTransaction, author: Author, userId: number): Promise<User> {
  const target = await lockTarget(tx, author, userId);
  const reason = 'An administrator lifted the block';
  if (target.isBlocked) await liftBlock(tx, author, target, { kind: 'unblock', reason });
  return readUser(tx, author.tenantId, userId);
}
