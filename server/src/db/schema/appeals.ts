import { appealStatuses } from '@sluice/contract';
import { bigint, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

export const appeals = pgTable('appeals', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  userId: integer('user_id').notNull(),
  /** The block that the appeal is about. */
  scoreEventId: bigint('score_event_id', { mode: 'number' }).notNull(),
  message: text().notNull(),
  status: text({ enum: appealStatuses }).notNull().default('open'),
  note: text(),
  decidedBy: integer('decided_by'),
  decidedAt: timestamp('decided_at', { withTimezone: true }),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});
