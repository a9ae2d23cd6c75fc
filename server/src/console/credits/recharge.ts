import { type CreditTransaction, type rechargeBody, toNanoUsd } from '@sluice/contract';
import type { z } from 'zod';
import { changeAs, type SystemDatabase } from '#db/system.ts';
import type { OnceContext } from '#http/console-route.ts';
import { postEntries } from '#ledger/post.ts';
import { requireTenantOfUser } from './require-tenant.ts';
import { toCreditTransaction } from './to-resources.ts';

type Body = z.output<typeof rechargeBody>;

/** Adds to the credits of the caller's tenant. */
export function rechargeCredits(
  system: SystemDatabase,
  ctx: OnceContext,
  body: Body,
): Promise<CreditTransaction> {
  return changeAs(system, ctx.actor, (tx) =>
    ctx.once(tx, () => recharge(tx, ctx, ctx.principal.tenantId, body)),
  );
}

/** Adds to the credits of the tenant of a user in any tenant. */
export function rechargeTenantOfUser(
  system: SystemDatabase,
  ctx: OnceContext,
  userId: number,
  body: Body,
): Promise<CreditTransaction> {
  return changeAs(system, ctx.actor, (tx) =>
    ctx.once(tx, async () => recharge(tx, ctx, await requireTenantOfUser(tx, userId), body)),
  );
}

async function recharge(
  tx: SystemDatabase,
  { principal, requestId }: OnceContext,
  tenantId: number,
  { amount, description }: Body,
): Promise<CreditTransaction> {
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
  return toCreditTransaction(entry);
}
