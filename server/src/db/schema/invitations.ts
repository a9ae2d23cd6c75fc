import { integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import { bytes } from './api-keys.ts';

/** `mailId` is the mail with the current link; `invitation_status` is derived from its status. */
export const invitations = pgTable('invitations', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  email: text().notNull(),
  roleId: integer('role_id').notNull(),
  tokenHash: bytes('token_hash').notNull(),
  invitedBy: integer('invited_by').notNull(),
  invitedByName: text('invited_by_name').notNull(),
  mailId: integer('mail_id').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  acceptedAt: timestamp('accepted_at', { withTimezone: true }),
  acceptedBy: integer('accepted_by'),
  cancelledAt: timestamp('cancelled_at', { withTimezone: true }),
});
