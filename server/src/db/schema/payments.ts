import { paymentProviders, paymentStatuses, transactionTypes, webhookEventStatuses } from '@sluice/contract';
import { bigint, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

const instant = (name: string) => timestamp(name, { withTimezone: true }).notNull().defaultNow();

/** Includes failed attempts. The ledger contains the resulting transactions under the intent's id. */
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

export const paymentCustomers = pgTable('payment_customers', {
  tenantId: integer('tenant_id').notNull(),
  provider: text({ enum: paymentProviders }).notNull(),
  customerId: text('customer_id').notNull(),
  cards: text().array().notNull().default([]),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});

/** `error` is `null` if the attempt succeeded. */
export interface WebhookAttempt {
  readonly at: string;
  readonly error: string | null;
}

/** Each event from the payment provider is stored once. */
export const webhookEvents = pgTable('webhook_events', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  eventId: text('event_id').notNull(),
  eventType: text('event_type').notNull(),
  intentId: text('intent_id'),
  customerId: text('customer_id'),
  status: text({ enum: webhookEventStatuses }).notNull().default('pending'),
  payload: jsonb().notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  processedAt: timestamp('processed_at', { withTimezone: true }),
  retryCount: integer('retry_count').notNull().default(0),
  attempts: jsonb().$type<WebhookAttempt[]>().notNull().default([]),
  nextAttemptAt: timestamp('next_attempt_at', { withTimezone: true }).notNull().defaultNow(),
});

/** Append-only. Amounts are nano-dollars, negative if the balance decreases. */
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
