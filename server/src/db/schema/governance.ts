import { appealStatuses, intentNames } from '@sluice/contract';
import { bigint, doublePrecision, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

/** `spare` is a block that was prevented by the block-rate limit. */
export const scoreEventKinds = ['block', 'spare', 'unblock', 'appeal_grant', 'appeal_deny'] as const;

export const scoreEvents = pgTable('score_events', {
  id: bigint({ mode: 'number' }).generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  userId: integer('user_id').notNull(),
  kind: text({ enum: scoreEventKinds }).notNull(),
  /** User who caused the event; `null` means the policy. */
  actorId: integer('actor_id'),
  requestId: uuid('request_id'),
  scoreBefore: doublePrecision('score_before').notNull(),
  scoreAfter: doublePrecision('score_after').notNull(),
  reason: text().notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});

export const appeals = pgTable('appeals', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  userId: integer('user_id').notNull(),
  /** Block that the appeal contests. */
  scoreEventId: bigint('score_event_id', { mode: 'number' }).notNull(),
  message: text().notNull(),
  status: text({ enum: appealStatuses }).notNull().default('open'),
  note: text(),
  decidedBy: integer('decided_by'),
  decidedAt: timestamp('decided_at', { withTimezone: true }),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});

export const intentCorrections = pgTable('intent_corrections', {
  requestId: uuid('request_id').primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  /** `null` once the prompt of the request is deleted. */
  prompt: text(),
  intentBefore: text('intent_before'),
  intent: text({ enum: intentNames }).notNull(),
  correctedBy: integer('corrected_by').notNull(),
  correctedAt: timestamp('corrected_at', { withTimezone: true }).notNull().defaultNow(),
});
