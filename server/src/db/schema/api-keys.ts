import { apiKeyScopes } from '@sluice/contract';
import { customType, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });

/** Only an HMAC and the last four characters of a key are stored. */
export const apiKeys = pgTable('api_keys', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  userId: integer('user_id').notNull(),
  name: text().notNull(),
  keyHash: bytes('key_hash').notNull(),
  last4: text().notNull(),
  scopes: text({ enum: apiKeyScopes }).array().notNull(),
  createdBy: integer('created_by'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  lastUsedAt: timestamp('last_used_at', { withTimezone: true }),
  expiresAt: timestamp('expires_at', { withTimezone: true }),
  supersededAt: timestamp('superseded_at', { withTimezone: true }),
  revokedAt: timestamp('revoked_at', { withTimezone: true }),
  changedAt: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
});

/** Keys whose owners were notified that they expire soon. */
export const apiKeyExpiryNotices = pgTable('api_key_expiry_notices', {
  apiKeyId: integer('api_key_id').primaryKey(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});
