import type { ChatTaskContext } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { findOwnTask, type Owner } from './store.ts';

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
