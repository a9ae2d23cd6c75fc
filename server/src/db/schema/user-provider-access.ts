import { integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** A direct grant: the user may use these models of the instance. */
export const userProviderAccess = pgTable('user_provider_access', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  userId: integer('user_id').notNull(),
  llmProviderId: integer('llm_provider_id').notNull(),
  allowedModels: text('allowed_models').array().notNull(),
  createdBy: integer('created_by'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  changedAt: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
});
