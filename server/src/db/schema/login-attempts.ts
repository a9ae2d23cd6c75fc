import { integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

/** Failed and pending attempts per subject (an account or an IP address) and fixed window. */
export const loginAttempts = pgTable(
  'login_attempts',
  {
    subject: text().notNull(),
    windowStart: timestamp('window_start', { withTimezone: true }).notNull(),
    attempts: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.subject, table.windowStart] })],
);
