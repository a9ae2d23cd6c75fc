import { integer, pgTable, timestamp } from 'drizzle-orm/pg-core';
import { bytes } from './api-keys.ts';

/** A link by which somebody who forgot their password chooses a new one; its row goes when it is used or replaced. */
export const passwordResets = pgTable('password_resets', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  userId: integer('user_id').notNull(),
  tokenHash: bytes('token_hash').notNull(),
  /** The person's when they asked: whatever ends their sessions ends the link too. */
  tokenVersion: integer('token_version').notNull(),
  mailId: integer('mail_id').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
});
