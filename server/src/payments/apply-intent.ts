import { and, eq, sql } from 'drizzle-orm';
import type { Actor } from '#db/actor.ts';
import { payments } from '#db/schema/payments.ts';
import { changeAs, type SystemDatabase } from '#db/system.ts';
import type { EntryDraft } from '#ledger/entry.ts';
import { postEntries } from '#ledger/post.ts';
import type { PaymentProvider, ProviderIntent } from './payment-provider.ts';

type Payment = typeof payments.$inferSelect;

const nanoUsdPerCent = 10_000_000n;

/**
 * Asks the provider how a payment stands now, and books what that means for the tenant's credits. Each effect is booked
 * once, whoever finds it: the payer's confirmation, an event in whatever order, or the job that looks for lost ones.
 * Answers the payment as it then is; `undefined` for an intent that belongs to no payment here.
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
  const intent = await provider.readIntent(intentId);
  if (!intent) throw new Error(`the payment provider has no intent ${intentId}`);
  const book = async (tx: SystemDatabase) => {
    const [payment] = await tx.select().from(payments).where(ofIntent).for('update');
    if (!payment) return undefined;
    await postEntries(tx, listEntries(payment, intent));
    // An answer that was read before another one's may come after it: what has succeeded stays so.
    const status = payment.status === 'succeeded' ? payment.status : intent.status;
    const [changed] = await tx
      .update(payments)
      .set({ status, failure: status === 'succeeded' ? null : intent.failure, checkedAt: sql`now()` })
      .where(ofIntent)
      .returning();
    return changed;
  };
  return actor ? changeAs(database, actor, book) : database.transaction(book);
}

/** All that a payment has ever done to the credits; the ledger leaves out what is booked. */
function listEntries(payment: Payment, intent: ProviderIntent): EntryDraft[] {
  if (intent.status !== 'succeeded') return [];
  const draft = (
    source: string,
    cents: number,
    kind: EntryDraft['kind'],
    description: string,
  ): EntryDraft => ({
    tenantId: payment.tenantId,
    kind,
    amount: BigInt(cents) * nanoUsdPerCent,
    source: `${payment.provider}/${source}`,
    description,
    actorId: kind === 'recharge' ? payment.createdBy : null,
    paymentMethod: payment.provider === 'simulated' ? 'simulated card' : 'card',
    paymentReference: intent.id,
  });
  return [
    draft(intent.id, intent.amountCents, 'recharge', payment.description),
    ...intent.refunds.map(({ id, amountCents }) =>
      draft(id, -amountCents, 'adjustment', 'The payment was refunded to the card'),
    ),
    ...intent.disputes.map(({ id, amountCents }) =>
      draft(id, -amountCents, 'adjustment', 'The payment is disputed by the card holder'),
    ),
    ...intent.disputes
      .filter(({ isWon }) => isWon)
      .map(({ id, amountCents }) => draft(`${id}/won`, amountCents, 'adjustment', 'The dispute was won')),
  ];
}
