import { integer, numeric, pgTable, timestamp } from 'drizzle-orm/pg-core';

export const platformSettings = pgTable('platform_settings', {
  id: integer().primaryKey().default(1),
  markupPercentage: numeric('markup_percentage', { mode: 'number', precision: 6, scale: 2 })
    .notNull()
    .default(20),
  changedAt: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
});
