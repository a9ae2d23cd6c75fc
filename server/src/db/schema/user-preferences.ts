import { densities, themes } from '@sluice/contract';
import { integer, pgTable, text } from 'drizzle-orm/pg-core';

export const userPreferences = pgTable('user_preferences', {
  userId: integer('user_id').primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  theme: text({ enum: themes }).notNull(),
  density: text({ enum: densities }).notNull(),
  timeZone: text('time_zone'),
});
