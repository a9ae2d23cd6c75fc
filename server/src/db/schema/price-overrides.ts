import type { PriceJson } from '@sluice/contract';
import { integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** Prices of one instance's model (with a tenant), or of a provider's model for all tenants. */
export const priceOverrides = pgTable('price_overrides', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id'),
  llmProviderId: integer('llm_provider_id'),
  providerKey: text('provider_key'),
  model: text().notNull(),
  price: jsonb().$type<PriceJson>().notNull(),
  createdBy: integer('created_by'),
  changedAt: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
});
