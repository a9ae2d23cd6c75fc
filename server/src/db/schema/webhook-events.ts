import { webhookEventStatuses } from '@sluice/contract';
import { bigint, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** One attempt to process an event; `error` is `null` if it succeeded. */
export interface WebhookAttempt {
  readonly at: string;
  readonly error: string | null;
}

/** Events of the payment provider, each stored once. */
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
