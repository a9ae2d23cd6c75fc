import {
  type Chat,
  type ChatMessage,
  type ChatWithMessages,
  type chatImageContent,
  type ListedChat,
  toUsd,
} from '@sluice/contract';
import { eq } from 'drizzle-orm';
import type { z } from 'zod';
import { chats } from '#db/schema/chats.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { notFound } from '#errors/console-error.ts';
import { findBranch, groupSiblings } from './branch.ts';
import { findPicture, type ImageRow, selectImages } from './images-store.ts';
import {
  type ChatRow,
  findChat,
  type MessageRow,
  type Owner,
  searchChats,
  selectChats,
  selectMessages,
} from './store.ts';

export async function getChat(
  tx: TenantTransaction,
  author: Principal,
  id: string,
): Promise<ChatWithMessages> {
  const row = await requireChat(tx, author, id);
  const rows = await selectMessages(tx, author.tenantId, id);
  const images = await selectImages(tx, author.tenantId, id);
  const siblings = groupSiblings(rows);
  const messages = findBranch(rows, row.leafId).map((one) => toChatMessage(one, { siblings, images }));
  const costNanoUsd = rows.reduce((sum, message) => sum + (message.costNanoUsd ?? 0n), 0n);
  return { ...toChat(row), messages, total_cost: toUsd(costNanoUsd) };
}

export async function listChats(
  tx: TenantTransaction,
  author: Principal,
  { task_id: taskId, search }: { task_id?: number | undefined; search?: string | undefined },
): Promise<ListedChat[]> {
  const ofTask = taskId === undefined ? undefined : eq(chats.taskId, taskId);
  if (!search)
    return (await selectChats(tx, author, ofTask)).map((row) => ({ ...toChat(row), excerpt: null }));
  const found = await searchChats(tx, author, search, ofTask);
  return found.map((row) => ({ ...toChat(row), excerpt: row.excerpt }));
}

/** @throws ConsoleError 404 if the image is not in the chat or was not stored */
export async function getChatImage(
  tx: TenantTransaction,
  author: Principal,
  { id, imageId }: { id: string; imageId: string },
): Promise<z.input<typeof chatImageContent>> {
  await requireChat(tx, author, id);
  const picture = await findPicture(tx, author.tenantId, id, imageId);
  if (!picture?.bytes) throw notFound('Image');
  return { media_type: picture.mediaType, data: picture.bytes.toString('base64') };
}

/** @throws ConsoleError 404 if the chat is archived or belongs to another user */
export async function requireChat(tx: TenantTransaction, owner: Owner, id: string): Promise<ChatRow> {
  const row = await findChat(tx, owner, id);
  if (!row) throw notFound('Chat');
  return row;
}

const apiAccessTitle = 'General';

export function toChat(row: ChatRow): Chat {
  const { id, title, pinnedAt, updatedAt, taskId, taskTitle, tokensUsed } = row;
  return {
    id,
    title: title || (row.isApiAccess ? apiAccessTitle : ''),
    is_pinned: pinnedAt !== null,
    updated_at: updatedAt.toISOString(),
    task_id: taskId,
    task_title: taskTitle,
    total_tokens_used: tokensUsed,
  };
}

interface Surroundings {
  readonly siblings: ReadonlyMap<string | null, readonly string[]>;
  readonly images: readonly ImageRow[];
}

export function toChatMessage(row: MessageRow, { siblings, images }: Surroundings): ChatMessage {
  return {
    id: row.id,
    is_user: row.isUser,
    content: row.content,
    created_at: row.createdAt.toISOString(),
    status: row.status,
    error_message: row.errorMessage,
    model: row.model,
    tokens_used: row.tokensUsed,
    cost: row.costNanoUsd === null ? null : toUsd(row.costNanoUsd),
    intent: row.intent,
    request_id: row.requestId,
    images: images
      .filter(({ messageId }) => messageId === row.id)
      .map(({ id, name, isKept }) => ({ id, name, is_kept: isKept })),
    siblings: [...(siblings.get(row.parentId) ?? [row.id])],
  };
}
