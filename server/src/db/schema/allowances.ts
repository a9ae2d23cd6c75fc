import { bigint, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import { allowanceKinds } from '#domain/allowance/kind.ts';

/** Amounts are requests, tokens or, for credits, nano-dollars, which may exceed a number: those are read separately. */
export const allowances = pgTable('allowances', {
  id: bigint({ mode: 'number' }).generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  kind: text({ enum: allowanceKinds }).notNull(),
  subjectId: integer('subject_id').notNull(),
  windowStart: timestamp('window_start', { withTimezone: true }).notNull(),
  limitAmount: bigint('limit_amount', { mode: 'number' }),
  settled: bigint({ mode: 'number' }).notNull(),
  leased: bigint({ mode: 'number' }).notNull(),
  /** Number of requests that have used the allowance. */
  requests: bigint({ mode: 'number' }).notNull(),
  lastUsedAt: timestamp('last_used_at', { withTimezone: true }),
});
