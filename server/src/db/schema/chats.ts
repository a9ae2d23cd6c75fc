import { integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

/** `title` is empty until the first message; `leafId` is the end of the selected branch. */
export const chats = pgTable('chats', {
  id: uuid().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  userId: integer('user_id').notNull(),
  taskId: integer('task_id'),
  title: text().notNull().default(''),
  leafId: uuid('leaf_id'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
  archivedAt: timestamp('archived_at', { withTimezone: true }),
});
