import { bannerSeverities, roleNames } from '@sluice/contract';
import { pgTable, text, timestamp } from 'drizzle-orm/pg-core';

export const banners = pgTable('banners', {
  id: text().primaryKey(),
  severity: text({ enum: bannerSeverities }).notNull(),
  message: text().notNull(),
  audience: text({ enum: roleNames }).notNull(),
  raisedAt: timestamp('raised_at', { withTimezone: true }).notNull().defaultNow(),
});
