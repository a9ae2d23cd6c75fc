import { type CreditTransaction, toNanoUsd, toUsd } from '@sluice/contract';
import { changeAs, type SystemDatabase } from '#db/system.ts';
import { ConsoleError } from '#errors/console-error.ts';
import type { OnceContext } from '#http/console-route.ts';
import { postEntries } from '#ledger/post.ts';
import { RefundRefusedError, refund } from '#ledger/refund.ts';
import { requireTenantOfUser } from './require-tenant.ts';
import { toCreditTransaction } from './to-resources.ts';

interface RefundQuery {
  amount: number;
  description: string;
  original_transaction_id?: number | undefined;
}

/** Refunds a user's tenant. Without an original transaction the amount is not limited. */
export async function refundTenantOfUser(
  system: SystemDatabase,
  ctx: OnceContext,
  userId: number,
  query: RefundQuery,
): Promise<CreditTransaction> {
  try {
    return await changeAs(system, ctx.actor, (tx) => ctx.once(tx, () => refundIn(tx, ctx, userId, query)));
  } catch (error) {
    throw error instanceof RefundRefusedError ? toRefusal(error) : error;
  }
}

async function refundIn(
  tx: SystemDatabase,
  { principal, requestId }: OnceContext,
  userId: number,
  { amount, description, original_transaction_id: refundedEntryId }: RefundQuery,
): Promise<CreditTransaction> {
  const draft = {
    tenantId: await requireTenantOfUser(tx, userId),
    amount: toNanoUsd(amount),
    source: `console/${requestId}`,
    description,
    actorId: principal.userId,
  };
  const entry =
    refundedEntryId === undefined
      ? (await postEntries(tx, [{ ...draft, kind: 'refund' }]))[0]
      : await refund(tx, { ...draft, refundedEntryId });
  if (!entry) throw new Error('a request has booked twice');
  return toCreditTransaction(entry);
}

function toRefusal({ refundable }: RefundRefusedError): ConsoleError {
  const [field, problem] =
    refundable === null
      ? ['original_transaction_id', 'This tenant has no such deduction or penalty']
      : ['amount', `Only $${toUsd(refundable)} of this transaction can still be refunded`];
  return new ConsoleError(422, [{ loc: ['query', field], msg: problem, type: 'value_error' }]);
}
