import { integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

export const jobSchedules = pgTable('job_schedules', {
  name: text().primaryKey(),
  nextAt: timestamp('next_at', { withTimezone: true }).notNull(),
  intervalSeconds: integer('interval_seconds').notNull().default(0),
  plannedAt: timestamp('planned_at', { withTimezone: true }).notNull().defaultNow(),
  attempts: integer().notNull().default(0),
  runId: uuid('run_id'),
  leasedUntil: timestamp('leased_until', { withTimezone: true }),
});
