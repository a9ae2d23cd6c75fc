import { boolean, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

const createdAt = () => timestamp('created_at', { withTimezone: true }).notNull().defaultNow();

/** Customers and cards of the simulated payment provider, which moves no money. */
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
