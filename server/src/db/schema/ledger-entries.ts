import { transactionTypes } from '@sluice/contract';
import { bigint, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** Append-only; amounts are nano-dollars, negative if the balance falls. */
export const ledgerEntries = pgTable('ledger_entries', {
  id: bigint({ mode: 'number' }).generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  kind: text({ enum: transactionTypes }).notNull(),
  amount: bigint({ mode: 'bigint' }).notNull(),
  balanceBefore: bigint('balance_before', { mode: 'bigint' }).notNull(),
  balanceAfter: bigint('balance_after', { mode: 'bigint' }).notNull(),
  source: text().notNull(),
  description: text().notNull(),
  actorId: integer('actor_id'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  paymentMethod: text('payment_method'),
  paymentReference: text('payment_reference'),
  refundedEntryId: bigint('refunded_entry_id', { mode: 'number' }),
  llmProviderId: integer('llm_provider_id'),
  providerKey: text('provider_key'),
  model: text(),
  minute: timestamp({ withTimezone: true }),
  requests: integer(),
  tokens: bigint({ mode: 'number' }),
});
