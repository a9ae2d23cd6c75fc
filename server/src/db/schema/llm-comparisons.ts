import { comparisonResultStatuses, comparisonVerdicts } from '@sluice/contract';
import {
  bigint,
  boolean,
  integer,
  pgTable,
  real,
  smallint,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';

export const llmComparisons = pgTable('llm_comparisons', {
  id: uuid().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  userId: integer('user_id').notNull(),
  prompt: text().notNull(),
  isBlind: boolean('is_blind').notNull().default(false),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});

/** `totalTokens` is `null` until it is copied from the log row. */
export const llmComparisonResults = pgTable('llm_comparison_results', {
  id: uuid().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  comparisonId: uuid('comparison_id').notNull(),
  position: smallint().notNull(),
  providerRegistryId: integer('provider_registry_id').notNull(),
  providerName: text('provider_name').notNull(),
  modelName: text('model_name').notNull(),
  status: text({ enum: comparisonResultStatuses }).notNull().default('pending'),
  responseText: text('response_text'),
  errorMessage: text('error_message'),
  requestId: uuid('request_id'),
  costNanoUsd: bigint('cost_nano_usd', { mode: 'bigint' }),
  responseTimeMs: real('response_time_ms'),
  totalTokens: integer('total_tokens'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});

/** One vote per user and blind comparison. `resultId` is the response rated `best`. */
export const llmComparisonVotes = pgTable('llm_comparison_votes', {
  tenantId: integer('tenant_id').notNull(),
  comparisonId: uuid('comparison_id').notNull(),
  userId: integer('user_id').notNull(),
  verdict: text({ enum: comparisonVerdicts }).notNull(),
  resultId: uuid('result_id'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});
