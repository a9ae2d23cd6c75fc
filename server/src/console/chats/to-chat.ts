import { type Chat, type ChatMessage, toUsd } from '@sluice/contract';
import type { ImageRow } from './images-store.ts';
import type { ChatRow, MessageRow } from './store.ts';

export function toChat({ id, title, updatedAt, taskId, taskTitle, tokensUsed }: ChatRow): Chat {
  return {
    id,
    title,
    updated_at: updatedAt.toISOString(),
    task_id: taskId,
    task_title: taskTitle,
    total_tokens_used: tokensUsed,
  };
}

/** Data needed to map the messages of a chat. */
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
