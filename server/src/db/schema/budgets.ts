import { budgetActions, budgetMeasures, budgetPeriods } from '@sluice/contract';
import { bigint, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** Amounts are nano-dollars, tokens or requests. Applies to requests that match every column it names. */
export const budgets = pgTable('budgets', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  teamId: integer('team_id'),
  userId: integer('user_id'),
  apiKeyId: integer('api_key_id'),
  taskId: integer('task_id'),
  llmProviderId: integer('llm_provider_id'),
  modelPattern: text('model_pattern'),
  measure: text({ enum: budgetMeasures }).notNull(),
  period: text({ enum: budgetPeriods }).notNull(),
  /** Start of the first period; `null` means the calendar of the tenant's time zone. */
  startsAt: timestamp('starts_at', { withTimezone: true }),
  limitAmount: bigint('limit_amount', { mode: 'number' }).notNull(),
  /** Percentages of the limit at which users are notified. */
  thresholds: integer().array().notNull(),
  action: text({ enum: budgetActions }).notNull(),
  /** Model name that requests over the limit are sent to. */
  routeTo: text('route_to'),
  /** Limit until `raisedUntil`. */
  raisedLimit: bigint('raised_limit', { mode: 'number' }),
  raisedUntil: timestamp('raised_until', { withTimezone: true }),
  raiseReason: text('raise_reason'),
  createdBy: integer('created_by'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  changedAt: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
});

/** The last window of a budget for which users were notified, and the highest threshold that they were notified of. */
export const budgetNotices = pgTable('budget_notices', {
  budgetId: integer('budget_id').primaryKey(),
  windowStart: timestamp('window_start', { withTimezone: true }).notNull(),
  percent: integer().notNull(),
});
