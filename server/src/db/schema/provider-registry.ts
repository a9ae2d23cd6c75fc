import { boolean, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

export const providerRegistry = pgTable('provider_registry', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  providerKey: text('provider_key').notNull(),
  displayName: text('display_name').notNull(),
  icon: text().notNull(),
  supportedModels: text('supported_models').array().notNull().default([]),
  /** Endpoint of an added vendor, which uses the OpenAI protocol; `null` for built-in vendors. */
  apiEndpoint: text('api_endpoint'),
  isActive: boolean('is_active').notNull().default(true),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});
