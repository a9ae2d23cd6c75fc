import { comparisonVerdicts } from '@sluice/contract';
import { integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

/** One per user and blind comparison; `resultId` is the response rated `best`. */
export const llmComparisonVotes = pgTable('llm_comparison_votes', {
  tenantId: integer('tenant_id').notNull(),
  comparisonId: uuid('comparison_id').notNull(),
  userId: integer('user_id').notNull(),
  verdict: text({ enum: comparisonVerdicts }).notNull(),
  resultId: uuid('result_id'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});
