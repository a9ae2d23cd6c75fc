import { integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** Models that a tenant's users may not use; a `null` `modelPattern` means the whole provider. */
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
