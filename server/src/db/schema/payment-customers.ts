import { paymentProviders } from '@sluice/contract';
import { integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** The customer of a tenant at a payment provider. */
export const paymentCustomers = pgTable('payment_customers', {
  tenantId: integer('tenant_id').notNull(),
  provider: text({ enum: paymentProviders }).notNull(),
  customerId: text('customer_id').notNull(),
  cards: text().array().notNull().default([]),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});
