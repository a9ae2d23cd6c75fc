import {
  type bookTransactionBody,
  type CreditTransaction,
  type rechargeBody,
  toNanoUsd,
  toUsd,
} from '@sluice/contract';
import type { z } from 'zod';
import { changeAs, type SystemDatabase } from '#db/system.ts';
import type { Author } from '#domain/principal.ts';
import { ConsoleError, invalidField, notFound } from '#errors/console-error.ts';
import type { OnceContext } from '#http/console-route.ts';
import { lockBalances, readHeld } from '#ledger/account.ts';
import { postEntries, RefundRefusedError, refund } from '#ledger/post.ts';
import { findTenantOfUser } from './list-accounts.ts';
import { toCreditTransaction } from './read.ts';

/**
 * Books a bonus, a penalty or an adjustment for the credits of the caller's tenant.
 * @throws ConsoleError 422 if it exceeds the credits that are not reserved for requests.
 */
export function bookTransaction(
  system: SystemDatabase,
  ctx: OnceContext,
  body: z.output<typeof bookTransactionBody>,
): Promise<CreditTransaction> {
  return changeAs(system, ctx.actor, (tx) =>
    ctx.once(tx, () => bookByHand(tx, ctx.principal, `console/${ctx.requestId}`, body)),
  );
}

/** Books a transaction at most once per `source`. */
export async function bookByHand(
  tx: SystemDatabase,
  { tenantId, userId: actorId }: Author,
  source: string,
  { transaction_type: kind, amount: dollars, description }: z.output<typeof bookTransactionBody>,
): Promise<CreditTransaction> {
  const amount = kind === 'penalty' ? -toNanoUsd(dollars) : toSignedNanoUsd(dollars);
  const balance = (await lockBalances(tx, [tenantId])).get(tenantId) ?? 0n;
  const held = await readHeld(tx, tenantId);
  if (amount < 0n && balance - held + amount < 0n) throw invalidField('amount', formatProblem(balance, held));
  const [entry] = await postEntries(tx, [{ tenantId, kind, amount, source, description, actorId }]);
  if (!entry) throw new Error('the request has already booked a transaction');
  return toCreditTransaction(entry);
}

function formatProblem(balance: bigint, held: bigint): string {
  if (held === 0n) return `The balance is $${toUsd(balance)}, and no more can be deducted`;
  return `The balance is $${toUsd(balance)}, of which $${toUsd(held)} is held for requests in flight: only the rest can be deducted now`;
}

const toSignedNanoUsd = (dollars: number) => (dollars < 0 ? -toNanoUsd(-dollars) : toNanoUsd(dollars));

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
  if (!entry) throw new Error('the request has already booked a transaction');
  return toCreditTransaction(entry);
}

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
  if (!entry) throw new Error('the request has already booked a transaction');
  return toCreditTransaction(entry);
}

function toRefusal({ refundable }: RefundRefusedError): ConsoleError {
  const [field, problem] =
    refundable === null
      ? ['original_transaction_id', 'This tenant has no such deduction or penalty']
      : ['amount', `Only $${toUsd(refundable)} of this transaction can still be refunded`];
  return new ConsoleError(422, [{ loc: ['query', field], msg: problem, type: 'value_error' }]);
}

/** Returns the tenant of a user: operators select a tenant by one of its users. */
async function requireTenantOfUser(system: SystemDatabase, userId: number): Promise<number> {
  const tenantId = await findTenantOfUser(system, userId);
  if (tenantId === undefined) throw notFound('User');
  return tenantId;
}
