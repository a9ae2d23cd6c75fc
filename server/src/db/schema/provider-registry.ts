import { boolean, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

export const providerRegistry = pgTable('provider_registry', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  providerKey: text('provider_key').notNull(),
  displayName: text('display_name').notNull(),
  icon: text().notNull(),
  supportedModels: text('supported_models').array().notNull().default([]),
  /** Of an added vendor, which speaks OpenAI's protocol there; `null` for one that comes with the product. */
  apiEndpoint: text('api_endpoint'),
  isActive: boolean('is_active').notNull().default(true),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});
