import { boolean, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import { bytes } from './api-keys.ts';

/** A tenant's instance of a vendor. Only the master key opens `sealedApiKey` and `sealedFormerApiKey`. */
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
