import type { TransactionType } from '@sluice/contract';
import type { ledgerEntries } from '#db/schema/ledger-entries.ts';

/** What was booked. */
export type LedgerEntry = typeof ledgerEntries.$inferSelect;

/** What is to be booked; the ledger adds the balances. */
export interface EntryDraft {
  readonly tenantId: number;
  readonly kind: TransactionType;
  /** Nano-dollars; what it does to the balance, so negative for a deduction or a penalty. */
  readonly amount: bigint;
  /** What brought it about, under a name that nothing else has: a second entry of one source is not booked. */
  readonly source: string;
  readonly description: string;
  /** Who did it; `null` for the gate itself. */
  readonly actorId: number | null;
  readonly paymentMethod?: string;
  readonly paymentReference?: string;
  readonly refundedEntryId?: number;
  readonly llmProviderId?: number | null;
  readonly providerKey?: string | null;
  readonly model?: string | null;
  readonly minute?: Date;
  readonly requests?: number;
  readonly tokens?: number;
}
