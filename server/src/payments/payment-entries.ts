import type { TransactionType } from '@sluice/contract';
import { eq } from 'drizzle-orm';
import { ledgerEntries } from '#db/schema/ledger-entries.ts';
import type { payments } from '#db/schema/payments.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { EntryDraft } from '#ledger/entry.ts';
import type { ProviderIntent } from './payment-provider.ts';

export type Payment = typeof payments.$inferSelect;

/** What one object of the provider does to the credits as it is now: the payment, a refund or a dispute. */
interface Effect {
  readonly id: string;
  readonly kind: TransactionType;
  /** Nano-dollars; 0 for an object without effect, such as a failed refund. */
  readonly amount: bigint;
  /** Description of an entry that moves the credits in each direction. */
  readonly up: string;
  readonly down: string;
}

const nanoUsdPerCent = 10_000_000n;

/**
 * Returns the entries that make the ledger agree with the provider's objects: for each object the difference between
 * its effect now and all that was booked for it. Call it with the row of the payment locked.
 */
export async function listDueEntries(
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
      down: 'The payment is disputed by the card holder',
    })),
  ];
}
