import { boolean, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** Groups of users that are granted models together. An inactive team grants nothing. */
export const teams = pgTable('teams', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  name: text().notNull(),
  description: text(),
  isActive: boolean('is_active').notNull().default(true),
  createdBy: integer('created_by'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  changedAt: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
});
