import { integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** What nobody of the tenant may use; `modelPattern` `null` is the whole provider. */
export const blacklistEntries = pgTable('blacklist_entries', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  providerKey: text('provider_key').notNull(),
  modelPattern: text('model_pattern'),
  reason: text().notNull(),
  description: text(),
  blockedBy: integer('blocked_by'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  changedAt: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
});
