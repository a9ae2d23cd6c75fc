import { chatImageTypes, chatMessageStatuses } from '@sluice/contract';
import { bigint, boolean, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { bytes } from './api-keys.ts';

/** `title` is empty until the first message. `leafId` is the last message of the selected branch. */
export const chats = pgTable('chats', {
  id: uuid().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  userId: integer('user_id').notNull(),
  taskId: integer('task_id'),
  title: text().notNull().default(''),
  leafId: uuid('leaf_id'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
  archivedAt: timestamp('archived_at', { withTimezone: true }),
  pinnedAt: timestamp('pinned_at', { withTimezone: true }),
});

/**
 * `parentId` is the previous message; `null` for the first one. `tokensUsed` of a response is `null` until it is
 * copied from the log row.
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

/** `bytes` is `null` if the tenant does not store full prompts. */
export const chatImages = pgTable('chat_images', {
  id: uuid().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  messageId: uuid('message_id').notNull(),
  name: text().notNull(),
  mediaType: text('media_type', { enum: chatImageTypes }).notNull(),
  bytes: bytes(),
});
