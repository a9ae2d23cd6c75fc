import { intentNames } from '@sluice/contract';
import { integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

export const intentCorrections = pgTable('intent_corrections', {
  requestId: uuid('request_id').primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  /** `null` once the request's own prompt is deleted. */
  prompt: text(),
  intentBefore: text('intent_before'),
  intent: text({ enum: intentNames }).notNull(),
  correctedBy: integer('corrected_by').notNull(),
  correctedAt: timestamp('corrected_at', { withTimezone: true }).notNull().defaultNow(),
});
