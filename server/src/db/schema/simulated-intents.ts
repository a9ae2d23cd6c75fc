import { bigint, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** Payments of the simulated payment provider, which moves no money. */
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
