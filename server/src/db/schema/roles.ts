import { roleNames } from '@sluice/contract';
import { integer, pgTable, text } from 'drizzle-orm/pg-core';

export const roles = pgTable('roles', {
  id: integer().primaryKey(),
  name: text({ enum: roleNames }).notNull(),
  description: text().notNull(),
});
