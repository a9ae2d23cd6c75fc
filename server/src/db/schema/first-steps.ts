import { integer, pgTable, timestamp } from 'drizzle-orm/pg-core';

export const firstSteps = pgTable('first_steps', {
  tenantId: integer('tenant_id').primaryKey(),
  connectionTestedAt: timestamp('connection_tested_at', { withTimezone: true }).notNull(),
});
