import { bigint, jsonb, pgTable, real, text, timestamp } from 'drizzle-orm/pg-core';

export const jobRuns = pgTable('job_runs', {
  name: text().primaryKey(),
  startedAt: timestamp('started_at', { withTimezone: true }).notNull(),
  durationMs: real('duration_ms').notNull(),
  succeededAt: timestamp('succeeded_at', { withTimezone: true }),
  failures: bigint({ mode: 'number' }).notNull().default(0),
  lastError: text('last_error'),
  figures: jsonb().$type<Record<string, number>>().notNull().default({}),
});
