import type { Task } from '@sluice/contract';
import type { SignedInContext } from '#http/console-route.ts';
import { readTask } from './get.ts';
import { requireTask } from './require-task.ts';
import { changeTask } from './store.ts';

/** Toggles a task. An inactive task keeps its assignments but accepts no requests. */
export function toggleTaskStatus(ctx: SignedInContext, taskId: number): Promise<Task> {
  const { tenantId } = ctx.principal;
  return ctx.inTenant(async (tx) => {
    const { isActive } = await requireTask(tx, tenantId, taskId);
    await changeTask(tx, taskId, { isActive: !isActive });
    return readTask(tx, tenantId, taskId);
  });
}
