import type { TransactionType } from '@sluice/contract';
import type { ledgerEntries } from '#db/schema/payments.ts';

export type LedgerEntry = typeof ledgerEntries.$inferSelect;

/** Entry to be booked. `postEntries` computes the balances before and after it. */
export interface EntryDraft {
  readonly tenantId: number;
  readonly kind: TransactionType;
  /** Nano-dollars added to the balance; negative for deductions and penalties. */
  readonly amount: bigint;
  /** Unique id of the entry's cause. A second entry with the same source is not booked. */
  readonly source: string;
  readonly description: string;
  /** User who caused the entry; `null` for the gateway. */
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
