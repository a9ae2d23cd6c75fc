import type { TransactionType } from '@sluice/contract';
import { and, eq, sql } from 'drizzle-orm';
import type { Actor } from '#db/actor.ts';
import { ledgerEntries, payments } from '#db/schema/payments.ts';
import { changeAs, readClock, type SystemDatabase } from '#db/system.ts';
import type { EntryDraft } from '#ledger/entry.ts';
import { postEntries } from '#ledger/post.ts';
import type { PaymentProvider, ProviderIntent } from './payment-provider.ts';

type Payment = typeof payments.$inferSelect;

interface Effect {
  readonly id: string;
  readonly kind: TransactionType;
  /** Amount in nano-dollars; 0 for an object without an effect, such as a failed refund. */
  readonly amount: bigint;
  readonly up: string;
  readonly down: string;
}

const nanoUsdPerCent = 10_000_000n;

/**
 * Returns the entries that the ledger still needs to match the provider's objects: per object, the difference between
 * its current effect and the sum of its bookings. Requires a lock on the payment row.
 */
async function listDueEntries(
  tx: SystemDatabase,
  payment: Payment,
  intent: ProviderIntent,
): Promise<EntryDraft[]> {
  if (intent.status !== 'succeeded') return [];
  const booked = await tx
    .select({ source: ledgerEntries.source, amount: ledgerEntries.amount })
    .from(ledgerEntries)
    .where(eq(ledgerEntries.paymentReference, intent.id));
  return listEffects(payment, intent).flatMap(({ id, kind, amount, up, down }) => {
    const source = `${payment.provider}/${id}`;
    const entries = booked.filter(
      (entry) => entry.source === source || entry.source.startsWith(`${source}/`),
    );
    const due = amount - entries.reduce((sum, entry) => sum + entry.amount, 0n);
    if (due === 0n) return [];
    return {
      tenantId: payment.tenantId,
      kind,
      amount: due,
      source: entries.length === 0 ? source : `${source}/${entries.length}`,
      description: due > 0n ? up : down,
      actorId: kind === 'recharge' ? payment.createdBy : null,
      paymentMethod: payment.provider === 'simulated' ? 'simulated card' : 'card',
      paymentReference: intent.id,
    };
  });
}

function listEffects({ description }: Payment, intent: ProviderIntent): Effect[] {
  const taken = (cents: number) => -BigInt(cents) * nanoUsdPerCent;
  return [
    {
      id: intent.id,
      kind: 'recharge',
      amount: BigInt(intent.amountCents) * nanoUsdPerCent,
      up: description,
      down: description,
    },
    ...intent.refunds.map(({ id, takenCents }) => ({
      id,
      kind: 'adjustment' as const,
      amount: taken(takenCents),
      up: 'A refund to the card failed',
      down: 'The payment was refunded to the card',
    })),
    ...intent.disputes.map(({ id, takenCents }) => ({
      id,
      kind: 'adjustment' as const,
      amount: taken(takenCents),
      up: 'The disputed amount was returned',
      down: 'The cardholder disputed the payment',
    })),
  ];
}

/**
 * Reads a payment from the provider and books the difference to the tenant's credits, regardless of the order and
 * number of calls. Returns the updated payment; `undefined` if no payment belongs to the intent.
 * @throws Error if a refund or dispute is not in US dollars. Everything else is booked first.
 */
export async function applyIntent(
  database: SystemDatabase,
  provider: PaymentProvider,
  intentId: string,
  actor?: Actor,
): Promise<Payment | undefined> {
  const ofIntent = and(eq(payments.provider, provider.name), eq(payments.intentId, intentId));
  const [known] = await database.select().from(payments).where(ofIntent);
  if (!known) return undefined;
  const readAt = await readClock(database);
  const intent = await provider.readIntent(intentId);
  if (!intent) throw new Error(`the payment provider has no intent ${intentId}`);
  const book = async (tx: SystemDatabase) => {
    const isNewest = sql<boolean>`${payments.checkedAt} <= ${readAt}::timestamptz`;
    const [row] = await tx
      .select({ payment: payments, isNewest })
      .from(payments)
      .where(ofIntent)
      .for('update');
    if (!row) return undefined;
    const { payment } = row;
    // A newer reading was already booked and includes all changes of this reading.
    if (!row.isNewest) return payment;
    await postEntries(tx, await listDueEntries(tx, payment, intent));
    const status = payment.status === 'succeeded' ? payment.status : intent.status;
    const [changed] = await tx
      .update(payments)
      .set({
        status,
        failure: status === 'succeeded' ? null : intent.failure,
        checkedAt: sql`${readAt}::timestamptz`,
      })
      .where(ofIntent)
      .returning();
    return changed;
  };
  const payment = await (actor ? changeAs(database, actor, book) : database.transaction(book));
  const [foreign] = intent.foreignCurrencies;
  if (foreign) throw new Error(`the payment provider reports ${foreign}; only US dollars can be booked`);
  return payment;
}
