import {
  type DeviationReceipt,
  type Labels,
  logStatuses,
  type PriceJson,
  type ProviderCall,
  promptPrivacyModes,
  usageSources,
} from '@sluice/contract';
import {
  bigint,
  boolean,
  date,
  doublePrecision,
  integer,
  jsonb,
  pgTable,
  real,
  smallint,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import { bytes } from './api-keys.ts';

export const requestLogs = pgTable('request_logs', {
  id: uuid().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  userId: integer('user_id'),
  apiKeyId: integer('api_key_id'),
  taskId: integer('task_id'),
  teamId: integer('team_id'),
  labels: jsonb().$type<Labels>(),
  llmProviderId: integer('llm_provider_id'),
  providerKey: text('provider_key'),
  providerInstanceName: text('provider_instance_name'),
  protocol: text().notNull(),
  operation: text().notNull(),
  modelRequested: text('model_requested'),
  downgradedByBudgetId: integer('downgraded_by_budget_id'),
  model: text(),
  status: text({ enum: logStatuses }).notNull(),
  httpStatus: smallint('http_status').notNull(),
  errorCode: text('error_code'),
  errorMessage: text('error_message'),
  isStream: boolean('is_stream').notNull(),
  attempts: smallint().notNull(),
  providerCalls: jsonb('provider_calls').$type<ProviderCall[]>(),
  repeats: integer().notNull().default(1),
  receivedAt: timestamp('received_at', { withTimezone: true }).notNull(),
  firstByteMs: real('first_byte_ms'),
  responseTimeMs: real('response_time_ms').notNull(),
  promptTokens: integer('prompt_tokens').notNull().default(0),
  cacheReadTokens: integer('cache_read_tokens').notNull().default(0),
  cacheWriteTokens: integer('cache_write_tokens').notNull().default(0),
  completionTokens: integer('completion_tokens').notNull().default(0),
  reasoningTokens: integer('reasoning_tokens').notNull().default(0),
  usageSource: text('usage_source', { enum: usageSources }).notNull(),
  clientRequestId: text('client_request_id'),
  costNanoUsd: bigint('cost_nano_usd', { mode: 'bigint' }),
  isServiceManaged: boolean('is_service_managed').notNull().default(false),
  price: jsonb().$type<PriceJson & { markup_percentage?: number }>(),
  intentClassification: text('intent_classification'),
  confidenceScore: real('confidence_score'),
  userScoreBefore: doublePrecision('user_score_before'),
  userScoreAfter: doublePrecision('user_score_after'),
  deviationScoreDelta: doublePrecision('deviation_score_delta'),
  deviationReceipts: jsonb('deviation_receipts').$type<DeviationReceipt[]>(),
});

export const requestLogBodies = pgTable('request_log_bodies', {
  id: uuid().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  prompt: text(),
  response: text(),
  /** Only written by nodes of 0.1.0. */
  requestBody: text('request_body'),
  /** Short text or zstd frame without the parts that are in the prompt (see `compressText`). */
  requestBodyZstd: bytes('request_body_zstd'),
  requestBytes: integer('request_bytes').notNull(),
  requestSha256: bytes('request_sha256'),
  responseBytes: integer('response_bytes').notNull(),
  /** Privacy mode at the time the row was written. */
  promptPrivacy: text('prompt_privacy', { enum: promptPrivacyModes }).notNull().default('full'),
  /** Object that contains the texts missing in the row. */
  bodyObject: uuid('body_object'),
  bodyOffset: integer('body_offset'),
  bodyLength: integer('body_length'),
  /** True if prompt and response are truncated. The object then contains the full texts. */
  isCut: boolean('is_cut'),
});

/** Usage in intervals of 15 minutes, as recorded by one node. */
export const usageRollups = pgTable('usage_rollups', {
  bucketStart: timestamp('bucket_start', { withTimezone: true }).notNull(),
  tenantId: integer('tenant_id').notNull(),
  userId: integer('user_id'),
  taskId: integer('task_id'),
  requests: bigint({ mode: 'number' }).notNull(),
});

/** First day from which a tenant's `usage_days` are complete; may be `-infinity` or `infinity`. */
export const usageDaySpans = pgTable('usage_day_spans', {
  tenantId: integer('tenant_id').primaryKey(),
  timeZone: text('time_zone').notNull(),
  wholeFrom: date('whole_from').notNull(),
});
