import type { TransactionType } from '@sluice/contract';
import { eq } from 'drizzle-orm';
import { ledgerEntries } from '#db/schema/ledger-entries.ts';
import type { payments } from '#db/schema/payments.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { EntryDraft } from '#ledger/entry.ts';
import type { ProviderIntent } from './payment-provider.ts';

export type Payment = typeof payments.$inferSelect;

/** Current effect of a provider object on the credits: the payment, a refund or a dispute. */
interface Effect {
  readonly id: string;
  readonly kind: TransactionType;
  /** Nano-dollars; 0 for an object without effect, such as a failed refund. */
  readonly amount: bigint;
  /** Descriptions of entries that move the credits up and down. */
  readonly up: string;
  readonly down: string;
}

const nanoUsdPerCent = 10_000_000n;

/**
 * Returns the entries that make the ledger match the provider's objects: per object, the difference between its current
 * effect and all that was booked for it. Requires a lock on the payment's row.
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
