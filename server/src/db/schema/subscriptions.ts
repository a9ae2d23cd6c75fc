import { paymentProviders, subscriptionStatuses } from '@sluice/contract';
import { bigint, boolean, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

const instant = (name: string) => timestamp(name, { withTimezone: true });

/** Subscriptions of tenants, as last reported by the payment provider. */
export const subscriptions = pgTable('subscriptions', {
  tenantId: integer('tenant_id').primaryKey(),
  planId: text('plan_id').notNull(),
  provider: text({ enum: paymentProviders }).notNull(),
  customerId: text('customer_id').notNull(),
  subscriptionId: text('subscription_id'),
  status: text({ enum: subscriptionStatuses }).notNull(),
  hasPaymentMethod: boolean('has_payment_method').notNull().default(false),
  trialEndsAt: instant('trial_ends_at'),
  periodEndsAt: instant('period_ends_at'),
  endsAt: instant('ends_at'),
  unpaidSince: instant('unpaid_since'),
  failure: text(),
  startedAt: instant('started_at').notNull().defaultNow(),
  checkedAt: instant('checked_at').notNull().defaultNow(),
});

/** Prices are in nano-dollars. */
export const plans = pgTable('plans', {
  id: text().primaryKey(),
  name: text().notNull(),
  description: text().notNull(),
  priceMonthly: bigint('price_monthly', { mode: 'bigint' }).notNull(),
  priceYearly: bigint('price_yearly', { mode: 'bigint' }).notNull(),
  userLimit: integer('user_limit').notNull(),
  adminLimit: integer('admin_limit').notNull(),
  position: integer().notNull(),
});

export const subscriptionNotices = pgTable('subscription_notices', {
  tenantId: integer('tenant_id').notNull(),
  kind: text({ enum: ['trial_ends', 'renewal_failed'] }).notNull(),
  happensAt: timestamp('happens_at', { withTimezone: true }).notNull(),
});
