import { bigint, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import { allowanceKinds } from '#domain/allowance/kind.ts';

/** Amounts are requests, tokens, or for credits nano-dollars, which a number may be too small for: read those apart. */
export const allowances = pgTable('allowances', {
  id: bigint({ mode: 'number' }).generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  kind: text({ enum: allowanceKinds }).notNull(),
  subjectId: integer('subject_id').notNull(),
  windowStart: timestamp('window_start', { withTimezone: true }).notNull(),
  limitAmount: bigint('limit_amount', { mode: 'number' }),
  settled: bigint({ mode: 'number' }).notNull(),
  leased: bigint({ mode: 'number' }).notNull(),
  /** How many requests have taken from it. */
  requests: bigint({ mode: 'number' }).notNull(),
  lastUsedAt: timestamp('last_used_at', { withTimezone: true }),
});
