import { boolean, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import { bytes } from './api-keys.ts';

/** Only HMACs and the last four characters of a token are stored. */
export const scimTokens = pgTable('scim_tokens', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  name: text().notNull(),
  tokenHash: bytes('token_hash').notNull(),
  last4: text().notNull(),
  canAssignRoles: boolean('can_assign_roles').notNull(),
  createdBy: integer('created_by'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  lastUsedAt: timestamp('last_used_at', { withTimezone: true }),
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  /** Hash of the token before the last rotation; valid until `formerExpiresAt`. */
  formerHash: bytes('former_hash'),
  formerExpiresAt: timestamp('former_expires_at', { withTimezone: true }),
  revokedAt: timestamp('revoked_at', { withTimezone: true }),
});
