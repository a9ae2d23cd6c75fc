import { integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import { bytes } from './api-keys.ts';

/** Signups that wait for their email confirmation; neither tenant nor user exists yet. */
export const signups = pgTable('signups', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  email: text().notNull(),
  name: text().notNull(),
  companyName: text('company_name').notNull(),
  passwordHash: text('password_hash').notNull(),
  planId: text('plan_id').notNull(),
  paymentProvider: text('payment_provider', { enum: ['stripe', 'simulated'] }).notNull(),
  customerId: text('customer_id').notNull(),
  tokenHash: bytes('token_hash').notNull(),
  mailId: integer('mail_id').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
});
