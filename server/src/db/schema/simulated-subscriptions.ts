import { subscriptionStatuses } from '@sluice/contract';
import { boolean, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

const instant = (name: string) => timestamp(name, { withTimezone: true });

/**
 * Subscriptions of the simulated payment provider, which moves no money; they renew by the clock when they are read.
 */
export const simulatedSubscriptions = pgTable('simulated_subscriptions', {
  id: text().primaryKey(),
  idempotencyKey: text('idempotency_key').notNull(),
  customerId: text('customer_id').notNull(),
  planId: text('plan_id').notNull(),
  status: text({ enum: subscriptionStatuses }).notNull(),
  trialEndsAt: instant('trial_ends_at'),
  periodEndsAt: instant('period_ends_at').notNull(),
  isCanceledAtPeriodEnd: boolean('is_canceled_at_period_end').notNull().default(false),
  endedAt: instant('ended_at'),
  unpaidSince: instant('unpaid_since'),
  failure: text(),
});
