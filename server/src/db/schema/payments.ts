import { paymentProviders, paymentStatuses } from '@sluice/contract';
import { bigint, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

const instant = (name: string) => timestamp(name, { withTimezone: true }).notNull().defaultNow();

/** Payments and payment attempts of a tenant; the results are in the ledger under the intent's id. */
export const payments = pgTable('payments', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  tenantId: integer('tenant_id').notNull(),
  provider: text({ enum: paymentProviders }).notNull(),
  intentId: text('intent_id'),
  amountNanoUsd: bigint('amount_nano_usd', { mode: 'bigint' }).notNull(),
  description: text().notNull(),
  status: text({ enum: paymentStatuses }).notNull().default('pending'),
  failure: text(),
  createdBy: integer('created_by'),
  createdAt: instant('created_at'),
  checkedAt: instant('checked_at'),
});
