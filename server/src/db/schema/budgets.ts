import { budgetActions, budgetMeasures, budgetPeriods, raiseRequestStatuses } from '@sluice/contract';
import { bigint, boolean, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

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
  /** Raised limit until `raisedUntil`. */
  raisedLimit: bigint('raised_limit', { mode: 'number' }),
  raisedUntil: timestamp('raised_until', { withTimezone: true }),
  raiseReason: text('raise_reason'),
  /** Whether a default of the user's team or organization created the budget and changes it. */
  isDefault: boolean('is_default').notNull().default(false),
  defaultId: integer('default_id'),
  /** Whether no default applies to the user any more, so that the budget limits nothing. */
  isRetired: boolean('is_retired').notNull().default(false),
  createdBy: integer('created_by'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  changedAt: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
});

/** Last window of a budget for which users were notified, and the highest threshold in that notification. */
export const budgetNotices = pgTable('budget_notices', {
  budgetId: integer('budget_id').primaryKey(),
  windowStart: timestamp('window_start', { withTimezone: true }).notNull(),
  percent: integer().notNull(),
});

/** Budget that each member of a team gets, or each user of the tenant if `teamId` is `null`. */
export const budgetDefaults = pgTable('budget_defaults', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  teamId: integer('team_id'),
  measure: text({ enum: budgetMeasures }).notNull(),
  period: text({ enum: budgetPeriods }).notNull(),
  limitAmount: bigint('limit_amount', { mode: 'number' }).notNull(),
  thresholds: integer().array().notNull(),
  action: text({ enum: budgetActions }).notNull(),
  routeTo: text('route_to'),
  createdBy: integer('created_by'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});

/** Request of a user to raise a budget. */
export const budgetRaiseRequests = pgTable('budget_raise_requests', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  budgetId: integer('budget_id').notNull(),
  userId: integer('user_id').notNull(),
  limitAmount: bigint('limit_amount', { mode: 'number' }).notNull(),
  until: timestamp({ withTimezone: true }).notNull(),
  reason: text().notNull(),
  status: text({ enum: raiseRequestStatuses }).notNull().default('open'),
  note: text(),
  decidedBy: integer('decided_by'),
  decidedAt: timestamp('decided_at', { withTimezone: true }),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});
