import { date, integer, pgTable, text } from 'drizzle-orm/pg-core';

/** From which day on a tenant's `usage_days` are whole; `-infinity` and `infinity` are days too. */
export const usageDaySpans = pgTable('usage_day_spans', {
  tenantId: integer('tenant_id').primaryKey(),
  timeZone: text('time_zone').notNull(),
  wholeFrom: date('whole_from').notNull(),
});
