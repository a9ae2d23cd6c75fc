import { bigint, doublePrecision, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

/** `spare` is a block that the block-rate limit prevented. */
export const scoreEventKinds = ['block', 'spare', 'unblock', 'appeal_grant', 'appeal_deny'] as const;

export const scoreEvents = pgTable('score_events', {
  id: bigint({ mode: 'number' }).generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  userId: integer('user_id').notNull(),
  kind: text({ enum: scoreEventKinds }).notNull(),
  /** `null` means the policy itself. */
  actorId: integer('actor_id'),
  requestId: uuid('request_id'),
  scoreBefore: doublePrecision('score_before').notNull(),
  scoreAfter: doublePrecision('score_after').notNull(),
  reason: text().notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});
