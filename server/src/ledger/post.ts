import { inArray } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { ledgerEntries } from '#db/schema/ledger-entries.ts';
import { announceBalances, lockBalances, moveBalances } from './account.ts';
import type { EntryDraft, LedgerEntry } from './entry.ts';

/**
 * Books entries and moves the balances, in the caller's transaction. Entries whose source is booked already are omitted
 * from the result and change nothing. Needs the rights of the system role; the tenant role can only read.
 */
export async function postEntries(tx: NodePgDatabase, drafts: readonly EntryDraft[]): Promise<LedgerEntry[]> {
  if (drafts.length === 0) return [];
  const balances = await lockBalances(
    tx,
    drafts.map(({ tenantId }) => tenantId),
  );
  // Read after the lock: another transaction may have booked a source in the meantime.
  const sources = await findBooked(tx, drafts);
  const rows = [];
  for (const draft of drafts) {
    if (sources.has(draft.source)) continue;
    sources.add(draft.source);
    const balanceBefore = balances.get(draft.tenantId);
    if (balanceBefore === undefined) throw new Error(`there is no tenant ${draft.tenantId}`);
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
