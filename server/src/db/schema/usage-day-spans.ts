import { date, integer, pgTable, text } from 'drizzle-orm/pg-core';

/** The day from which a tenant's `usage_days` are complete; may be `-infinity` or `infinity`. */
export const usageDaySpans = pgTable('usage_day_spans', {
  tenantId: integer('tenant_id').primaryKey(),
  timeZone: text('time_zone').notNull(),
  wholeFrom: date('whole_from').notNull(),
});
