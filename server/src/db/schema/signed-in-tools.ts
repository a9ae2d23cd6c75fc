import { integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { bytes } from './api-keys.ts';

const instant = (name: string) => timestamp(name, { withTimezone: true });

/** Refresh tokens are stored only as keyed hashes. */
export const signedInTools = pgTable('signed_in_tools', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  userId: integer('user_id').notNull(),
  clientId: text('client_id').notNull(),
  deviceName: text('device_name').notNull(),
  address: text().notNull(),
  userAgent: text('user_agent').notNull(),
  taskId: integer('task_id').notNull(),
  /** Session in which the user approved the tool. */
  sessionId: uuid('session_id').notNull(),
  /** Hash of the half that is common to all refresh tokens of the tool; `null` before the first token. */
  familyHash: bytes('family_hash'),
  refreshHash: bytes('refresh_hash'),
  createdAt: instant('created_at').notNull().defaultNow(),
  expiresAt: instant('expires_at').notNull(),
  revokedAt: instant('revoked_at'),
  lastUsedAt: instant('last_used_at'),
  lastUsedAddress: text('last_used_address'),
});

export const deviceCodes = pgTable('device_codes', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  deviceCodeHash: bytes('device_code_hash').notNull(),
  userCodeHash: bytes('user_code_hash').notNull(),
  clientId: text('client_id').notNull(),
  deviceName: text('device_name').notNull(),
  taskTitle: text('task_title'),
  address: text().notNull(),
  network: text().notNull(),
  userAgent: text('user_agent').notNull(),
  state: text({ enum: ['pending', 'allowed', 'denied'] })
    .notNull()
    .default('pending'),
  toolId: integer('tool_id'),
  intervalSeconds: integer('interval_seconds').notNull().default(5),
  polledAt: instant('polled_at'),
  createdAt: instant('created_at').notNull().defaultNow(),
  expiresAt: instant('expires_at').notNull(),
});
