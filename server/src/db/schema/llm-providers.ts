import type { PriceJson } from '@sluice/contract';
import { boolean, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import { bytes } from './api-keys.ts';

/** `sealedApiKey` and `sealedFormerApiKey` can only be decrypted with the master key. */
export const llmProviders = pgTable('llm_providers', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  providerRegistryId: integer('provider_registry_id').notNull(),
  providerInstanceName: text('provider_instance_name').notNull(),
  sealedApiKey: bytes('sealed_api_key'),
  apiEndpoint: text('api_endpoint'),
  enabledModels: text('enabled_models').array().notNull().default([]),
  availableModels: text('available_models').array().notNull().default([]),
  defaultModel: text('default_model'),
  modelAliases: jsonb('model_aliases').$type<Record<string, string>>().notNull().default({}),
  isDefault: boolean('is_default').notNull().default(false),
  isActive: boolean('is_active').notNull().default(true),
  isServiceManaged: boolean('is_service_managed').notNull().default(false),
  maintenanceSince: timestamp('maintenance_since', { withTimezone: true }),
  maintenanceUntil: timestamp('maintenance_until', { withTimezone: true }),
  maintenanceReason: text('maintenance_reason'),
  fallbackPosition: integer('fallback_position'),
  connectTimeoutMs: integer('connect_timeout_ms'),
  firstByteTimeoutMs: integer('first_byte_timeout_ms'),
  idleTimeoutMs: integer('idle_timeout_ms'),
  totalTimeoutMs: integer('total_timeout_ms'),
  streamTotalTimeoutMs: integer('stream_total_timeout_ms'),
  sealedFormerApiKey: bytes('sealed_former_api_key'),
  formerApiKeyExpiresAt: timestamp('former_api_key_expires_at', { withTimezone: true }),
  createdBy: integer('created_by'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  changedAt: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
});

export const providerRegistry = pgTable('provider_registry', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  providerKey: text('provider_key').notNull(),
  displayName: text('display_name').notNull(),
  icon: text().notNull(),
  supportedModels: text('supported_models').array().notNull().default([]),
  /** Endpoint of a custom vendor, which must use the OpenAI protocol; `null` for built-in vendors. */
  apiEndpoint: text('api_endpoint'),
  isActive: boolean('is_active').notNull().default(true),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});

/**
 * Last time a provider rejected an instance's new key while its previous key is still valid (until `overlapEndsAt`).
 */
export const providerKeyRefusals = pgTable('provider_key_refusals', {
  llmProviderId: integer('llm_provider_id').primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  overlapEndsAt: timestamp('overlap_ends_at', { withTimezone: true }).notNull(),
  refusedAt: timestamp('refused_at', { withTimezone: true }).notNull(),
});

/** Prices for a model of one instance (if a tenant is set), or for a provider's model in all tenants. */
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

/** If `modelPattern` is `null`, the whole provider is blocked. */
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

/** Active members may use the models while the team is active. */
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
