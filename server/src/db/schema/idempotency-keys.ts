import { integer, json, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import { bytes } from './api-keys.ts';

/** `tenantId` and `actorId` are `null` for unauthenticated callers. */
export const idempotencyKeys = pgTable('idempotency_keys', {
  tenantId: integer('tenant_id'),
  actorId: integer('actor_id'),
  route: text().notNull(),
  key: text().notNull(),
  requestHash: bytes('request_hash').notNull(),
  answer: json().$type<unknown>().notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});
