import type { Labels } from '@sluice/contract';
import {
  bigint,
  boolean,
  doublePrecision,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
} from 'drizzle-orm/pg-core';
import { allowanceKinds } from '#domain/allowance/window.ts';

/** `tokenLimit` applies to each assignment; `null` means unlimited. */
export const tasks = pgTable('tasks', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  title: text().notNull(),
  description: text().notNull(),
  category: text({ enum: ['coding', 'testing', 'documentation', 'research', 'other'] }).notNull(),
  difficultyLevel: text('difficulty_level', { enum: ['beginner', 'intermediate', 'advanced'] }).notNull(),
  estimatedHours: doublePrecision('estimated_hours').notNull(),
  tokenLimit: bigint('token_limit', { mode: 'number' }),
  maxTokensPerRequest: integer('max_tokens_per_request'),
  isActive: boolean('is_active').notNull().default(true),
  isDummyTask: boolean('is_dummy_task').notNull().default(false),
  userId: integer('user_id'),
  labels: jsonb().$type<Labels>().notNull().default({}),
  createdBy: integer('created_by'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  deletedAt: timestamp('deleted_at', { withTimezone: true }),
  changedAt: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
});

/** An assignment is active until `endedAt`. */
export const taskAssignments = pgTable('task_assignments', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  taskId: integer('task_id').notNull(),
  userId: integer('user_id').notNull(),
  status: text({ enum: ['active', 'completed', 'cancelled'] })
    .notNull()
    .default('active'),
  progressNotes: text('progress_notes').notNull().default(''),
  assignedBy: integer('assigned_by'),
  assignedAt: timestamp('assigned_at', { withTimezone: true }).notNull().defaultNow(),
  endedAt: timestamp('ended_at', { withTimezone: true }),
  changedAt: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
});

/**
 * Amounts are requests, tokens or, for credits, nano-dollars. Nano-dollars may exceed the safe integer range, so
 * credits are read separately.
 */
export const allowances = pgTable('allowances', {
  id: bigint({ mode: 'number' }).generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  kind: text({ enum: allowanceKinds }).notNull(),
  subjectId: integer('subject_id').notNull(),
  windowStart: timestamp('window_start', { withTimezone: true }).notNull(),
  limitAmount: bigint('limit_amount', { mode: 'number' }),
  settled: bigint({ mode: 'number' }).notNull(),
  leased: bigint({ mode: 'number' }).notNull(),
  /** Usage beyond the holds of the requests. */
  overrun: bigint({ mode: 'number' }).notNull().default(0),
  requests: bigint({ mode: 'number' }).notNull(),
  lastUsedAt: timestamp('last_used_at', { withTimezone: true }),
});
