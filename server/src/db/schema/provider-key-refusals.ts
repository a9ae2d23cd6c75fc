import { integer, pgTable, timestamp } from 'drizzle-orm/pg-core';

/** When a provider last rejected the new key of an instance whose previous key is valid until `overlapEndsAt`. */
export const providerKeyRefusals = pgTable('provider_key_refusals', {
  llmProviderId: integer('llm_provider_id').primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  overlapEndsAt: timestamp('overlap_ends_at', { withTimezone: true }).notNull(),
  refusedAt: timestamp('refused_at', { withTimezone: true }).notNull(),
});
