import { type CreditTransaction, type rechargeBody, toNanoUsd } from '@sluice/contract';
import type { z } from 'zod';
import type { SystemDatabase } from '#db/system.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { postEntries } from '#ledger/post.ts';
import { describeTransaction } from './describe.ts';
import { requireTenantOfUser } from './require-tenant.ts';

type Body = z.output<typeof rechargeBody>;

/** Adds to the credits of the caller's tenant. */
export function rechargeCredits(
  system: SystemDatabase,
  ctx: SignedInContext,
  body: Body,
): Promise<CreditTransaction> {
  return recharge(system, ctx, ctx.principal.tenantId, body);
}

/** Adds to the credits of a person's tenant, whichever it is. */
export async function rechargeTenantOfUser(
  system: SystemDatabase,
  ctx: SignedInContext,
  userId: number,
  body: Body,
): Promise<CreditTransaction> {
  return recharge(system, ctx, await requireTenantOfUser(system, userId), body);
}

function recharge(
  system: SystemDatabase,
  { principal, requestId }: SignedInContext,
  tenantId: number,
  { amount, description }: Body,
): Promise<CreditTransaction> {
  return system.transaction(async (tx) => {
    const [entry] = await postEntries(tx, [
      {
        tenantId,
        kind: 'recharge',
        amount: toNanoUsd(amount),
        source: `console/${requestId}`,
        description,
        actorId: principal.userId,
      },
    ]);
    if (!entry) throw new Error('a request has booked twice');
    return describeTransaction(entry);
  });
}
