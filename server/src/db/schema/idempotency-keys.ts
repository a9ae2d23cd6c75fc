import { integer, json, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';
import { bytes } from './api-keys.ts';

export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    tenantId: integer('tenant_id').notNull(),
    actorId: integer('actor_id').notNull(),
    route: text().notNull(),
    key: text().notNull(),
    requestHash: bytes('request_hash').notNull(),
    answer: json().$type<unknown>().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.actorId, table.route, table.key] })],
);
