import {
  type Chat,
  type ChatTaskContext,
  type ChatWithMessages,
  noChatTask,
  type UpdateChatBody,
} from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import { ConsoleError, notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { findLatestLeaf } from './branch.ts';
import { getChat, requireChat, toChat } from './read.ts';
import type { ChatRuns } from './runs.ts';
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
 * Creates a chat.
 * @throws ConsoleError 422 without a task, except for administrators; 404 if the user does not have the task, 409 if it
 * is over.
 */
export function createChat({ inTenant, principal }: SignedInContext, taskId: number | null): Promise<Chat> {
  if (taskId === null && principal.role === 'user') throw new ConsoleError(422, noChatTask);
  return inTenant(async (tx) => {
    if (taskId !== null) requireOpen(await findOwnTask(tx, principal, taskId));
    return toChat(await requireChat(tx, principal, await insertChat(tx, principal, taskId)));
  });
}

/**
 * Returns the latest chat for a task, or creates it; concurrent calls get the same one.
 * @throws ConsoleError 404 if the user does not have the task; 409 if it is over, 403 if the user is blocked, and there
 * is no chat yet.
 */
export function openTaskChat({ inTenant, principal }: SignedInContext, taskId: number): Promise<Chat> {
  return inTenant(async (tx) => {
    const task = await findOwnTask(tx, principal, taskId);
    if (!task) throw notFound('Task');
    await lockOwner(tx, principal);
    const existing = await findTaskChat(tx, principal, taskId);
    if (existing) return toChat(existing);
    if (principal.blockedReason !== null)
      throw new ConsoleError(
        403,
        'Your account is blocked, so no chat was started. You can still read your chats.',
      );
    requireOpen(task);
    return toChat(await requireChat(tx, principal, await insertChat(tx, principal, taskId)));
  });
}

/** @throws ConsoleError 404 if the chat is archived or belongs to another user. */
export function updateChat(
  { inTenant, principal }: SignedInContext,
  id: string,
  change: UpdateChatBody,
): Promise<Chat> {
  return inTenant(async (tx) => {
    if (!(await changeChat(tx, principal, id, change))) throw notFound('Chat');
    return toChat(await requireChat(tx, principal, id));
  });
}

function requireOpen(task: Awaited<ReturnType<typeof findOwnTask>>): void {
  if (!task) throw notFound('Task');
  if (!task.isOpen) throw new ConsoleError(409, 'This task is no longer active, so no chat was started.');
}

/** Archives a chat; stops an answer that is being written for it. */
export async function archiveChat(
  runs: ChatRuns,
  { inTenant, principal }: SignedInContext,
  id: string,
): Promise<undefined> {
  await inTenant(async (tx) => {
    if (!(await markArchived(tx, principal, id))) throw notFound('Chat');
    await announceStop(tx, id);
  });
  runs.stop(id);
  return undefined;
}

/** Stops the answer that is being written, on any node. */
export async function stopChat(
  runs: ChatRuns,
  { inTenant, principal }: SignedInContext,
  id: string,
): Promise<undefined> {
  await inTenant(async (tx) => {
    await requireChat(tx, principal, id);
    await announceStop(tx, id);
  });
  runs.stop(id);
  return undefined;
}

/**
 * Chooses a branch.
 * @throws ConsoleError 404 for a message that is not in the chat; 409 while an answer is being written.
 */
export async function chooseChatBranch(
  ctx: SignedInContext,
  { id, messageId }: { id: string; messageId: string },
): Promise<ChatWithMessages> {
  const { rows } = await readWholeChat({ ...ctx, readInTenant: ctx.inTenant }, id);
  if (!rows.some((row) => row.id === messageId)) throw notFound('Message');
  if (rows.some(({ status }) => status === 'pending')) throw beingWritten();
  const leafId = findLatestLeaf(rows, messageId);
  const { tenantId } = ctx.principal;
  await ctx.inTenant((tx) => setLeaf(tx, { tenantId, chatId: id, leafId }));
  return getChat(ctx, id);
}

export function getChatTaskContext(
  { inTenant, principal }: SignedInContext,
  taskId: number,
): Promise<ChatTaskContext> {
  return inTenant((tx) => readTaskContext(tx, principal, taskId));
}

/**
 * Returns the task of a chat.
 * @throws ConsoleError 404 if the user does not have the task.
 */
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
