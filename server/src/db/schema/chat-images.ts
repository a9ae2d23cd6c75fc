import { chatImageTypes } from '@sluice/contract';
import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytes } from './api-keys.ts';

/** `bytes` is `null` if the tenant does not store full prompts. */
export const chatImages = pgTable('chat_images', {
  id: uuid().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  messageId: uuid('message_id').notNull(),
  name: text().notNull(),
  mediaType: text('media_type', { enum: chatImageTypes }).notNull(),
  bytes: bytes(),
});
