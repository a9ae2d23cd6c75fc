import { and, eq, inArray, sum } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { ledgerEntries } from '#db/schema/payments.ts';
import { announceBalances, lockBalances, moveBalances } from './account.ts';
import type { EntryDraft, LedgerEntry } from './entry.ts';

/**
 * Books entries and updates the balances in the caller's transaction. Entries whose source is already booked are
 * skipped and omitted from the result. Requires the system role, because the tenant role has read access only.
 */
export async function postEntries(tx: NodePgDatabase, drafts: readonly EntryDraft[]): Promise<LedgerEntry[]> {
  if (drafts.length === 0) return [];
  const balances = await lockBalances(
    tx,
    drafts.map(({ tenantId }) => tenantId),
  );
  // Read the sources after acquiring the lock, because another transaction may have booked one of them in the
  // meantime.
  const sources = await findBooked(tx, drafts);
  const rows = [];
  for (const draft of drafts) {
    if (sources.has(draft.source)) continue;
    sources.add(draft.source);
    const balanceBefore = balances.get(draft.tenantId);
    if (balanceBefore === undefined) throw new Error(`tenant ${draft.tenantId} does not exist`);
    const balanceAfter = balanceBefore + draft.amount;
    balances.set(draft.tenantId, balanceAfter);
    rows.push({ ...draft, balanceBefore, balanceAfter });
  }
  if (rows.length === 0) return [];
  await moveBalances(tx, rows);
  const fallen = rows.filter(({ amount, kind }) => amount < 0n && kind !== 'deduction');
  await announceBalances(
    tx,
    fallen.map(({ tenantId }) => tenantId),
  );
  return tx.insert(ledgerEntries).values(rows).returning();
}

async function findBooked(tx: NodePgDatabase, drafts: readonly EntryDraft[]): Promise<Set<string>> {
  const rows = await tx
    .select({ source: ledgerEntries.source })
    .from(ledgerEntries)
    .where(
      inArray(
        ledgerEntries.source,
        drafts.map(({ source }) => source),
      ),
    );
  return new Set(rows.map(({ source }) => source));
}

/** Thrown when an entry cannot be refunded, or the refund exceeds the refundable amount. */
export class RefundRefusedError extends Error {
  override readonly name = 'RefundRefusedError';
  /** Refundable amount of the entry in nano-dollars; `null` if the charge does not exist. */
  readonly refundable: bigint | null;

  constructor(refundable: bigint | null) {
    super(
      refundable === null ? 'there is no charge with this id' : `${refundable} nano-dollars can be refunded`,
    );
    this.refundable = refundable;
  }
}

/**
 * Books a refund. Returns `undefined` if its source is already booked.
 * @throws RefundRefusedError if the entry does not exist or its total refunds would exceed its amount
 */
export async function refund(
  tx: NodePgDatabase,
  draft: Omit<EntryDraft, 'kind'> & { readonly refundedEntryId: number },
): Promise<LedgerEntry | undefined> {
  // Lock the account first, so that refunds of the same entry run one after another and each reads the previous
  // refunds.
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
