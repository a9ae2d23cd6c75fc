import { integer, pgTable, timestamp } from 'drizzle-orm/pg-core';
import { bytes } from './api-keys.ts';

/** Links to set a new password; the row is deleted when its link is used or replaced. */
export const passwordResets = pgTable('password_resets', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  userId: integer('user_id').notNull(),
  tokenHash: bytes('token_hash').notNull(),
  /** The user's version at the request: anything that ends their sessions also invalidates the link. */
  tokenVersion: integer('token_version').notNull(),
  mailId: integer('mail_id').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
});
