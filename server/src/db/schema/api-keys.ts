import { apiKeyDialects, apiKeyKinds, apiKeyScopes, type Labels } from '@sluice/contract';
import { customType, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import { apiKeyOrigins } from '#domain/api-key.ts';

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
  kind: text({ enum: apiKeyKinds }).notNull().default('primary'),
  /** Keys of other gateways are stored as the hash of their SHA-256 digest. */
  origin: text({ enum: apiKeyOrigins }).notNull().default('sluice'),
  /** `null` means no restriction beyond the user's own. Also applies to `dialects` and `networks`. */
  models: text().array(),
  dialects: text({ enum: apiKeyDialects }).array(),
  networks: text().array(),
  /** Task of a task key; default task of any other key. */
  taskId: integer('task_id'),
  labels: jsonb().$type<Labels>().notNull().default({}),
  replacedBy: integer('replaced_by'),
  /** Id of the key that created this task key. */
  mintedBy: integer('minted_by'),
  /** Id of the signed-in tool that uses this task key. */
  toolId: integer('tool_id'),
  lastUsedAddress: text('last_used_address'),
  lastUsedModel: text('last_used_model'),
  createdBy: integer('created_by'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  lastUsedAt: timestamp('last_used_at', { withTimezone: true }),
  expiresAt: timestamp('expires_at', { withTimezone: true }),
  supersededAt: timestamp('superseded_at', { withTimezone: true }),
  revokedAt: timestamp('revoked_at', { withTimezone: true }),
  changedAt: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
});

export const apiKeyExpiryNotices = pgTable('api_key_expiry_notices', {
  apiKeyId: integer('api_key_id').primaryKey(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});
