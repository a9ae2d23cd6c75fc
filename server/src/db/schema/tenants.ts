import type { DeviationPolicy } from '@sluice/contract';
import { bigint, boolean, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

export const tenants = pgTable('tenants', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  name: text().notNull(),
  slug: text().notNull(),
  status: text({ enum: ['trial', 'active', 'suspended'] })
    .notNull()
    .default('active'),
  timeZone: text('time_zone').notNull().default('UTC'),
  userLimit: integer('user_limit'),
  adminLimit: integer('admin_limit'),
  lowBalanceThreshold: bigint('low_balance_threshold', { mode: 'bigint' }).notNull().default(10_000_000_000n),
  isServiceSpendingAllowed: boolean('is_service_spending_allowed').notNull().default(true),
  /** `null` is the default policy. */
  deviationPolicy: jsonb('deviation_policy').$type<DeviationPolicy>(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  changedAt: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
});
