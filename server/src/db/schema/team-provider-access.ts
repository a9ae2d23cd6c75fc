import { integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** A team's grant: its active members may use these models of the instance while the team is active. */
export const teamProviderAccess = pgTable('team_provider_access', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  teamId: integer('team_id').notNull(),
  llmProviderId: integer('llm_provider_id').notNull(),
  allowedModels: text('allowed_models').array().notNull(),
  createdBy: integer('created_by'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  changedAt: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
});
