import type { TransactionType } from '@sluice/contract';
import type { ledgerEntries } from '#db/schema/payments.ts';

/** A booked entry. */
export type LedgerEntry = typeof ledgerEntries.$inferSelect;

/** An entry to book; the ledger sets its balances. */
export interface EntryDraft {
  readonly tenantId: number;
  readonly kind: TransactionType;
  /** Nano-dollars added to the balance, so negative for a deduction or penalty. */
  readonly amount: bigint;
  /** Unique id of the cause: a second entry with the same source is not booked. */
  readonly source: string;
  readonly description: string;
  /** User who caused it; `null` for the gateway itself. */
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
