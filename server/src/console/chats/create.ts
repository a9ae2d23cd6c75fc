import { type Chat, noChatTask } from '@sluice/contract';
import { ConsoleError } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { requireChat } from './require-chat.ts';
import { findTaskChat, insertChat, lockOwner } from './store.ts';
import { readTaskContext } from './task-context.ts';
import { toChat } from './to-chat.ts';

/**
 * Creates a chat.
 * @throws ConsoleError 422 without a task, except for administrators; 404 if the user does not have the task.
 */
export function createChat({ inTenant, principal }: SignedInContext, taskId: number | null): Promise<Chat> {
  if (taskId === null && principal.role === 'user') throw new ConsoleError(422, noChatTask);
  return inTenant(async (tx) => {
    if (taskId !== null) await readTaskContext(tx, principal, taskId);
    return toChat(await requireChat(tx, principal, await insertChat(tx, principal, taskId)));
  });
}

/** Returns the latest chat for a task, or creates it; concurrent calls get the same one. */
export function openTaskChat({ inTenant, principal }: SignedInContext, taskId: number): Promise<Chat> {
  return inTenant(async (tx) => {
    await readTaskContext(tx, principal, taskId);
    await lockOwner(tx, principal);
    const row =
      (await findTaskChat(tx, principal, taskId)) ??
      (await requireChat(tx, principal, await insertChat(tx, principal, taskId)));
    return toChat(row);
  });
}
