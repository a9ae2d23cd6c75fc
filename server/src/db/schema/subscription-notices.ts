import { integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** Notices that were sent to a tenant's administrators. */
export const subscriptionNotices = pgTable('subscription_notices', {
  tenantId: integer('tenant_id').notNull(),
  kind: text({ enum: ['trial_ends', 'renewal_failed'] }).notNull(),
  happensAt: timestamp('happens_at', { withTimezone: true }).notNull(),
});
