import { budgetActions, budgetMeasures, budgetPeriods, raiseRequestStatuses } from '@sluice/contract';
import { bigint, boolean, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** Amounts are nano-dollars, tokens or requests. A budget applies to requests that match all of its set columns. */
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
  /** Start of the first period; `null` means calendar periods in the tenant's time zone. */
  startsAt: timestamp('starts_at', { withTimezone: true }),
  limitAmount: bigint('limit_amount', { mode: 'number' }).notNull(),
  /** Percentages of the limit at which users are notified. */
  thresholds: integer().array().notNull(),
  action: text({ enum: budgetActions }).notNull(),
  /** Name of the model that requests over the limit are routed to. */
  routeTo: text('route_to'),
  /** Increased limit that applies until `raisedUntil`. */
  raisedLimit: bigint('raised_limit', { mode: 'number' }),
  raisedUntil: timestamp('raised_until', { withTimezone: true }),
  raiseReason: text('raise_reason'),
  /** True if a default of the user's team or organization created the budget and updates it. */
  isDefault: boolean('is_default').notNull().default(false),
  defaultId: integer('default_id'),
  /** True if no default applies to the user anymore. A retired budget limits nothing. */
  isRetired: boolean('is_retired').notNull().default(false),
  createdBy: integer('created_by'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  changedAt: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
});

/** Last window of a budget for which users were notified, with the highest threshold and the limit in that notice. */
export const budgetNotices = pgTable('budget_notices', {
  budgetId: integer('budget_id').primaryKey(),
  windowStart: timestamp('window_start', { withTimezone: true }).notNull(),
  percent: integer().notNull(),
  /** `null` for notices of earlier versions. */
  limitAmount: bigint('limit_amount', { mode: 'number' }),
});

/** Default budget for each member of a team, or for each user of the tenant if `teamId` is `null`. */
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
