import { chatMessageStatuses } from '@sluice/contract';
import { bigint, boolean, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

/**
 * `parentId` is the previous message, `null` for the first. `tokensUsed` of a response is `null` until it is copied
 * from the log row.
 */
export const chatMessages = pgTable('chat_messages', {
  id: uuid().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  chatId: uuid('chat_id').notNull(),
  parentId: uuid('parent_id'),
  isUser: boolean('is_user').notNull(),
  content: text().notNull(),
  model: text(),
  status: text({ enum: chatMessageStatuses }).notNull().default('completed'),
  errorMessage: text('error_message'),
  requestId: uuid('request_id'),
  tokensUsed: integer('tokens_used'),
  costNanoUsd: bigint('cost_nano_usd', { mode: 'bigint' }),
  intent: text(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  writtenAt: timestamp('written_at', { withTimezone: true }).notNull().defaultNow(),
});
