import { bigint, integer, pgTable, timestamp } from 'drizzle-orm/pg-core';

/** Usage of 15 minutes, as recorded by one node. */
export const usageRollups = pgTable('usage_rollups', {
  bucketStart: timestamp('bucket_start', { withTimezone: true }).notNull(),
  tenantId: integer('tenant_id').notNull(),
  userId: integer('user_id'),
  taskId: integer('task_id'),
  requests: bigint({ mode: 'number' }).notNull(),
});
