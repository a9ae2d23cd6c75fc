import {
  type Chat,
  type ChatTaskContext,
  type ChatWithMessages,
  noChatTask,
  type UpdateChatBody,
} from '@sluice/contract';
import { selectActiveTasks } from '#console/tasks/active-tasks.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { chooseTask } from '#domain/choose-task.ts';
import type { Principal } from '#domain/principal.ts';
import { ConsoleError, notFound } from '#errors/console-error.ts';
import { findLatestLeaf } from './branch.ts';
import { getChat, requireChat, toChat } from './read.ts';
import {
  announceStop,
  changeChat,
  findOwnTask,
  findTaskChat,
  insertChat,
  lockOwner,
  markArchived,
  type Owner,
  setLeaf,
} from './store.ts';
import { beingWritten, readWholeChat } from './write-turn.ts';

/**
 * Creates a chat. Without a task, the chat belongs to the task that its requests will count toward, if any.
 * @throws ConsoleError 422 if a user who is not an administrator specifies no task; 404 if the user does not have the
 * task; 409 if the task has ended
 */
export async function createChat(
  tx: TenantTransaction,
  author: Principal,
  taskId: number | null,
): Promise<Chat> {
  if (taskId === null && author.role === 'user') throw new ConsoleError(422, noChatTask);
  if (taskId !== null) requireOpen(await findOwnTask(tx, author, taskId));
  const ofChat = taskId ?? (await findDefaultTaskId(tx, author));
  return toChat(await requireChat(tx, author, await insertChat(tx, author, ofChat)));
}

async function findDefaultTaskId(tx: TenantTransaction, author: Principal): Promise<number | null> {
  const chosen = chooseTask(await selectActiveTasks(tx, author.userId), null, true);
  return chosen.kind === 'task' ? chosen.task.id : null;
}

/**
 * Concurrent calls return the same chat.
 * @throws ConsoleError 404 if the user does not have the task; when creating a chat, also 409 if the task has ended
 * and 403 if the user is blocked
 */
export async function openTaskChat(tx: TenantTransaction, author: Principal, taskId: number): Promise<Chat> {
  if (!(await findOwnTask(tx, author, taskId))) throw notFound('Task');
  await lockOwner(tx, author);
  const existing = await findTaskChat(tx, author, taskId);
  if (existing) return toChat(existing);
  if (author.blockedReason !== null)
    throw new ConsoleError(
      403,
      'Your account is blocked, so no chat was started. You can still read your chats.',
    );
  return createChat(tx, author, taskId);
}

/**
 * Renames or pins a chat.
 * @throws ConsoleError 404 if the chat is archived or belongs to another user
 */
export async function updateChat(
  tx: TenantTransaction,
  author: Principal,
  { id, change }: { readonly id: string; readonly change: UpdateChatBody },
): Promise<Chat> {
  if (!(await changeChat(tx, author, id, change))) throw notFound('Chat');
  return toChat(await requireChat(tx, author, id));
}

function requireOpen(task: Awaited<ReturnType<typeof findOwnTask>>): void {
  if (!task) throw notFound('Task');
  if (!task.isOpen) throw new ConsoleError(409, 'This task is no longer active, so no chat was started.');
}

export async function archiveChat(tx: TenantTransaction, author: Principal, id: string): Promise<undefined> {
  if (!(await markArchived(tx, author, id))) throw notFound('Chat');
  await announceStop(tx, id);
}

export async function stopChat(tx: TenantTransaction, author: Principal, id: string): Promise<undefined> {
  await requireChat(tx, author, id);
  await announceStop(tx, id);
}

/** @throws ConsoleError 404 if the message is not in the chat, 409 while an answer is being written */
export async function chooseChatBranch(
  tx: TenantTransaction,
  author: Principal,
  { id, messageId }: { readonly id: string; readonly messageId: string },
): Promise<ChatWithMessages> {
  const { rows } = await readWholeChat(tx, author, id);
  if (!rows.some((row) => row.id === messageId)) throw notFound('Message');
  if (rows.some(({ status }) => status === 'pending')) throw beingWritten();
  const leafId = findLatestLeaf(rows, messageId);
  await setLeaf(tx, { tenantId: author.tenantId, chatId: id, leafId });
  return getChat(tx, author, id);
}

export function getChatTaskContext(
  tx: TenantTransaction,
  author: Principal,
  taskId: number,
): Promise<ChatTaskContext> {
  return readTaskContext(tx, author, taskId);
}

/** @throws ConsoleError 404 if the user does not have the task */
export async function readTaskContext(
  tx: TenantTransaction,
  owner: Owner,
  taskId: number,
): Promise<ChatTaskContext> {
  const task = await findOwnTask(tx, owner, taskId);
  if (!task) throw notFound('Task');
  const { title, description, category, tokenLimit, used } = task;
  return {
    title,
    description,
    category,
    token_limit: tokenLimit,
    remaining_tokens: tokenLimit === null ? null : Math.max(0, tokenLimit - used),
  };
}
