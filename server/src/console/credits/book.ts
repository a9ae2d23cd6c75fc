import {
  type bookTransactionBody,
  type CreditTransaction,
  type rechargeBody,
  toNanoUsd,
  toUsd,
} from '@sluice/contract';
import type { z } from 'zod';
import type { SystemDatabase } from '#db/system.ts';
import type { Author } from '#domain/principal.ts';
import { ConsoleError, invalidField, notFound } from '#errors/console-error.ts';
import { lockBalances, readHeld } from '#ledger/account.ts';
import { postEntries, RefundRefusedError, refund } from '#ledger/post.ts';
import { findTenantOfUser } from './list-accounts.ts';
import { toCreditTransaction } from './read.ts';

/** Booking with a unique source. The ledger accepts each `source` only once. */
export interface Sourced<Body> {
  readonly source: string;
  readonly body: Body;
}

/** @throws ConsoleError 422 if a deduction exceeds the credits not reserved for requests */
export async function bookCreditTransaction(
  tx: SystemDatabase,
  { tenantId, userId: actorId }: Author,
  { source, body }: Sourced<z.output<typeof bookTransactionBody>>,
): Promise<CreditTransaction> {
  const { transaction_type: kind, amount: dollars, description } = body;
  const amount = kind === 'penalty' ? -toNanoUsd(dollars) : toSignedNanoUsd(dollars);
  const balance = (await lockBalances(tx, [tenantId])).get(tenantId) ?? 0n;
  const held = await readHeld(tx, tenantId);
  if (amount < 0n && balance - held + amount < 0n) throw invalidField('amount', formatProblem(balance, held));
  const [entry] = await postEntries(tx, [{ tenantId, kind, amount, source, description, actorId }]);
  if (!entry) throw new Error('the request has already booked a transaction');
  return toCreditTransaction(entry);
}

function formatProblem(balance: bigint, held: bigint): string {
  if (held === 0n) return `The balance is $${toUsd(balance)}, which is the most that can be deducted`;
  return `The balance is $${toUsd(balance)}, of which $${toUsd(held)} is reserved for requests in flight. Only the rest can be deducted now.`;
}

const toSignedNanoUsd = (dollars: number) => (dollars < 0 ? -toNanoUsd(-dollars) : toNanoUsd(dollars));

type Body = z.output<typeof rechargeBody>;

export async function rechargeCredits(
  tx: SystemDatabase,
  { tenantId, userId: actorId }: Author,
  { source, body: { amount, description } }: Sourced<Body>,
): Promise<CreditTransaction> {
  const draft = { tenantId, amount: toNanoUsd(amount), source, description, actorId };
  const [entry] = await postEntries(tx, [{ ...draft, kind: 'recharge' }]);
  if (!entry) throw new Error('the request has already booked a transaction');
  return toCreditTransaction(entry);
}

/** The user may belong to any tenant. */
export async function rechargeTenantOfUser(
  tx: SystemDatabase,
  author: Author,
  { userId, ...recharge }: Sourced<Body> & { readonly userId: number },
): Promise<CreditTransaction> {
  return rechargeCredits(tx, { ...author, tenantId: await requireTenantOfUser(tx, userId) }, recharge);
}

interface RefundQuery {
  amount: number;
  description: string;
  original_transaction_id?: number | undefined;
}

/** Without an original transaction, the amount is not limited. */
export async function refundTenantOfUser(
  tx: SystemDatabase,
  { userId: actorId }: Author,
  { userId, source, body }: Sourced<RefundQuery> & { readonly userId: number },
): Promise<CreditTransaction> {
  const { description, original_transaction_id: refundedEntryId } = body;
  const tenantId = await requireTenantOfUser(tx, userId);
  const draft = { tenantId, amount: toNanoUsd(body.amount), source, description, actorId };
  const entry =
    refundedEntryId === undefined
      ? (await postEntries(tx, [{ ...draft, kind: 'refund' }]))[0]
      : await refund(tx, { ...draft, refundedEntryId }).catch((error: unknown) => {
          throw error instanceof RefundRefusedError ? toRefusal(error) : error;
        });
  if (!entry) throw new Error('the request has already booked a transaction');
  return toCreditTransaction(entry);
}

function toRefusal({ refundable }: RefundRefusedError): ConsoleError {
  const [field, problem] =
    refundable === null
      ? ['original_transaction_id', 'This tenant has no deduction or penalty with this ID']
      : ['amount', `Only $${toUsd(refundable)} of this transaction can still be refunded`];
  return new ConsoleError(422, [{ loc: ['query', field], msg: problem, type: 'value_error' }]);
}

/** Operators select a tenant by one of its users. */
async function requireTenantOfUser(system: SystemDatabase, userId: number): Promise<number> {
  const tenantId = await findTenantOfUser(system, userId);
  if (tenantId === undefined) throw notFound('User');
  return tenantId;
}
