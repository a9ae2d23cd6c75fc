import { chatMessageStatuses } from '@sluice/contract';
import { bigint, boolean, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

/** `parentId`: what was said before it, `null` for the first. `tokensUsed` `null` on an answer: what the log row says of it is not copied yet. */
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
