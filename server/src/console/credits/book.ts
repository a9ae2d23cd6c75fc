import { type bookTransactionBody, type CreditTransaction, toNanoUsd, toUsd } from '@sluice/contract';
import type { z } from 'zod';
import { changeAs, type SystemDatabase } from '#db/system.ts';
import type { Author } from '#domain/principal.ts';
import { invalidField } from '#errors/console-error.ts';
import type { OnceContext } from '#http/console-route.ts';
import { lockBalances, readHeld } from '#ledger/account.ts';
import { postEntries } from '#ledger/post.ts';
import { toCreditTransaction } from './to-resources.ts';

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
  if (!entry) throw new Error('a request has booked twice');
  return toCreditTransaction(entry);
}

function formatProblem(balance: bigint, held: bigint): string {
  if (held === 0n) return `The balance is $${toUsd(balance)}, and no more can be taken`;
  return `The balance is $${toUsd(balance)}, of which $${toUsd(held)} is held for requests: no more than the rest can be taken now`;
}

const toSignedNanoUsd = (dollars: number) => (dollars < 0 ? -toNanoUsd(-dollars) : toNanoUsd(dollars));
