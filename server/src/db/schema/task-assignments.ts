import { integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** A user's assignment to a task; active until `endedAt`. */
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
