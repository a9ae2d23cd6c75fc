import type { NodeReport } from '@sluice/contract';
import { jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

export const nodeReports = pgTable('node_reports', {
  name: text().primaryKey(),
  seenAt: timestamp('seen_at', { withTimezone: true }).notNull().defaultNow(),
  report: jsonb().$type<NodeReport>().notNull(),
});
