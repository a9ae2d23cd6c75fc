import { managementScopes } from '@sluice/contract';
import { integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import { bytes } from './api-keys.ts';

/** Only an HMAC and the last four characters of a token are stored. */
export const managementTokens = pgTable('management_tokens', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  userId: integer('user_id').notNull(),
  name: text().notNull(),
  tokenHash: bytes('token_hash').notNull(),
  last4: text().notNull(),
  scopes: text({ enum: managementScopes }).array().notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  revokedAt: timestamp('revoked_at', { withTimezone: true }),
  lastUsedAt: timestamp('last_used_at', { withTimezone: true }),
  lastUsedAddress: text('last_used_address'),
});
