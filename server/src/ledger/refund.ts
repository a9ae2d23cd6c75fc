import { and, eq, sum } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { ledgerEntries } from '#db/schema/ledger-entries.ts';
import { lockBalances } from './account.ts';
import type { EntryDraft, LedgerEntry } from './entry.ts';
import { postEntries } from './post.ts';

/** Thrown when an entry cannot be refunded, or not by this amount. */
export class RefundRefusedError extends Error {
  override readonly name = 'RefundRefusedError';
  /** Nano-dollars of the entry that are not refunded yet; `null` if there is no such charge. */
  readonly refundable: bigint | null;

  constructor(refundable: bigint | null) {
    super(refundable === null ? 'there is no such charge' : `${refundable} nano-dollars can be refunded`);
    this.refundable = refundable;
  }
}

/**
 * Returns part or all of a deduction or penalty to its tenant.
 * @throws RefundRefusedError if all refunds of the entry together would exceed it
 */
export async function refund(
  tx: NodePgDatabase,
  draft: Omit<EntryDraft, 'kind'> & { readonly refundedEntryId: number },
): Promise<LedgerEntry | undefined> {
  // Lock first: refunds of one entry then run one after another, and each sees the previous ones.
  await lockBalances(tx, [draft.tenantId]);
  const refundable = await readRefundable(tx, draft.tenantId, draft.refundedEntryId);
  if (refundable === null || draft.amount > refundable) throw new RefundRefusedError(refundable);
  const [entry] = await postEntries(tx, [{ ...draft, kind: 'refund' }]);
  return entry;
}

async function readRefundable(tx: NodePgDatabase, tenantId: number, entryId: number): Promise<bigint | null> {
  const ofTenant = eq(ledgerEntries.tenantId, tenantId);
  const [charge] = await tx
    .select({ kind: ledgerEntries.kind, amount: ledgerEntries.amount })
    .from(ledgerEntries)
    .where(and(ofTenant, eq(ledgerEntries.id, entryId)));
  if (!charge || (charge.kind !== 'deduction' && charge.kind !== 'penalty')) return null;
  const [refunded] = await tx
    .select({ total: sum(ledgerEntries.amount) })
    .from(ledgerEntries)
    .where(and(ofTenant, eq(ledgerEntries.refundedEntryId, entryId)));
  return -charge.amount - BigInt(refunded?.total ?? 0);
}
