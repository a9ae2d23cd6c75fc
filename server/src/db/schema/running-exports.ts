import { integer, pgTable, timestamp, uuid } from 'drizzle-orm/pg-core';

export const runningExports = pgTable('running_exports', {
  tenantId: integer('tenant_id').primaryKey(),
  holder: uuid().notNull(),
  renewedAt: timestamp('renewed_at', { withTimezone: true }).notNull().defaultNow(),
});
