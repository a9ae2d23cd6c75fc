import { mailStatuses } from '@sluice/contract';
import { integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import { bytes } from './api-keys.ts';

/** A link is stored only until its email is sent or no longer needed. */
export const mails = pgTable('mails', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  /** `null` for emails to recipients without an account. */
  tenantId: integer('tenant_id'),
  effect: text(),
  toAddress: text('to_address').notNull(),
  subject: text().notNull(),
  body: text().notNull(),
  action: text().notNull(),
  sealedLink: bytes('sealed_link'),
  /** Public base URL of the link; `null` for emails created by earlier versions. */
  linkOrigin: text('link_origin'),
  opensRoleId: integer('opens_role_id').notNull(),
  status: text({ enum: mailStatuses }).notNull(),
  attempts: integer().notNull().default(0),
  nextAttemptAt: timestamp('next_attempt_at', { withTimezone: true }).notNull().defaultNow(),
  error: text(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  sentAt: timestamp('sent_at', { withTimezone: true }),
});
