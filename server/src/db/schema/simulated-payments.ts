import { subscriptionStatuses } from '@sluice/contract';
import { bigint, boolean, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

const createdAt = () => timestamp('created_at', { withTimezone: true }).notNull().defaultNow();

export const simulatedCustomers = pgTable('simulated_customers', {
  id: text().primaryKey(),
  idempotencyKey: text('idempotency_key').notNull(),
  email: text().notNull(),
  name: text().notNull(),
  defaultPaymentMethodId: text('default_payment_method_id'),
});

export const simulatedPaymentMethods = pgTable('simulated_payment_methods', {
  id: text().primaryKey(),
  customerId: text('customer_id'),
  cardNumber: text('card_number').notNull(),
  isAuthenticated: boolean('is_authenticated').notNull(),
  createdAt: createdAt(),
});

export const simulatedSetupIntents = pgTable('simulated_setup_intents', {
  id: text().primaryKey(),
  clientSecret: text('client_secret').notNull(),
  idempotencyKey: text('idempotency_key').notNull(),
  customerId: text('customer_id'),
  status: text({ enum: ['requires_payment_method', 'requires_action', 'succeeded'] })
    .notNull()
    .default('requires_payment_method'),
  failure: text(),
  paymentMethodId: text('payment_method_id'),
  createdAt: createdAt(),
});

export const simulatedIntents = pgTable('simulated_intents', {
  id: text().primaryKey(),
  clientSecret: text('client_secret').notNull(),
  idempotencyKey: text('idempotency_key'),
  amountCents: bigint('amount_cents', { mode: 'number' }).notNull(),
  status: text({ enum: ['requires_payment_method', 'requires_action', 'succeeded'] })
    .notNull()
    .default('requires_payment_method'),
  failure: text(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});

const instant = (name: string) => timestamp(name, { withTimezone: true });

/** Due renewals are applied when a subscription is read. */
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
