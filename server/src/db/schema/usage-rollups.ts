import { bigint, integer, pgTable, timestamp } from 'drizzle-orm/pg-core';

/** What was used in a quarter of an hour, as one node wrote it down. */
export const usageRollups = pgTable('usage_rollups', {
  bucketStart: timestamp('bucket_start', { withTimezone: true }).notNull(),
  tenantId: integer('tenant_id').notNull(),
  userId: integer('user_id'),
  taskId: integer('task_id'),
  requests: bigint({ mode: 'number' }).notNull(),
});
