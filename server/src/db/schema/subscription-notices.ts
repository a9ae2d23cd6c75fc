import { integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** Of what a tenant's administrators were told. */
export const subscriptionNotices = pgTable('subscription_notices', {
  tenantId: integer('tenant_id').notNull(),
  kind: text({ enum: ['trial_ends', 'renewal_failed'] }).notNull(),
  happensAt: timestamp('happens_at', { withTimezone: true }).notNull(),
});
