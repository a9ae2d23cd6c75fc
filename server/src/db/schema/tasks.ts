import { bigint, boolean, doublePrecision, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** `tokenLimit` applies per assignment; `null` means unlimited. */
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
  createdBy: integer('created_by'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  deletedAt: timestamp('deleted_at', { withTimezone: true }),
  changedAt: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
});
