import {
  type DeviationPolicy,
  type PriceJson,
  promptPrivacyModes,
  unpricedModelRules,
} from '@sluice/contract';
import { bigint, boolean, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

export const tenants = pgTable('tenants', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  name: text().notNull(),
  slug: text().notNull(),
  status: text({ enum: ['trial', 'active', 'suspended'] })
    .notNull()
    .default('active'),
  timeZone: text('time_zone').notNull().default('UTC'),
  /** Plan that defines the limits; `null` if the tenant has custom limits. */
  planId: text('plan_id'),
  userLimit: integer('user_limit'),
  adminLimit: integer('admin_limit'),
  /**
   * Plan that was requested from the payment provider. The limits of the pending plan also apply until
   * `pendingPlanUntil`.
   */
  pendingPlanId: text('pending_plan_id'),
  pendingPlanUntil: timestamp('pending_plan_until', { withTimezone: true }),
  suspensionReason: text('suspension_reason'),
  suspendedAt: timestamp('suspended_at', { withTimezone: true }),
  /** Super administrator who suspended the tenant; `null` if the suspension was caused by a subscription. */
  suspendedBy: integer('suspended_by'),
  statusBeforeSuspension: text('status_before_suspension', { enum: ['trial', 'active'] }),
  lowBalanceThreshold: bigint('low_balance_threshold', { mode: 'bigint' }).notNull().default(10_000_000_000n),
  isServiceSpendingAllowed: boolean('is_service_spending_allowed').notNull().default(true),
  /** `null` means the default policy. */
  deviationPolicy: jsonb('deviation_policy').$type<DeviationPolicy>(),
  promptPrivacy: text('prompt_privacy', { enum: promptPrivacyModes }).notNull().default('full'),
  retentionDays: integer('retention_days').notNull().default(400),
  bodyRetentionDays: integer('body_retention_days').notNull().default(90),
  usageRetentionDays: integer('usage_retention_days').notNull().default(3650),
  /** Maximum number of output tokens per request; `null` means no limit. */
  maxOutputTokens: integer('max_output_tokens'),
  /** An empty list means that all models are trusted. */
  trustedModels: text('trusted_models').array().notNull().default([]),
  /** Default limits of new users; `null` means unlimited. */
  defaultDailyQuota: bigint('default_daily_quota', { mode: 'number' }).default(1000),
  defaultMonthlyQuota: bigint('default_monthly_quota', { mode: 'number' }).default(30_000),
  defaultRequestsPerHour: bigint('default_requests_per_hour', { mode: 'number' }).default(100),
  secondFactorRoles: text('second_factor_roles', { enum: ['admin', 'user'] })
    .array()
    .notNull()
    .default([]),
  acceptsRequestLabels: boolean('accepts_request_labels').notNull().default(false),
  usersRegenerateKeys: boolean('users_regenerate_keys').notNull().default(false),
  apiKeysPerUser: integer('api_keys_per_user').notNull().default(5),
  usersCreateKeys: boolean('users_create_keys').notNull().default(false),
  /** Rule for models without a price while a dollar budget applies. */
  unpricedModels: text('unpriced_models', { enum: unpricedModelRules }).notNull().default('refuse'),
  fallbackPrice: jsonb('fallback_price').$type<PriceJson>(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  changedAt: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
});
