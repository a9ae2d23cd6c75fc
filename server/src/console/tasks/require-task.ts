import type { TenantTransaction } from '#db/tenant.ts';
import { notFound } from '#errors/console-error.ts';
import { lockTask } from './store.ts';

export type LockedTask = NonNullable<Awaited<ReturnType<typeof lockTask>>>;

/**
 * Returns and locks a task.
 * @throws ConsoleError 404 if the tenant does not have it.
 */
export async function requireTask(
  tx: TenantTransaction,
  tenantId: number,
  taskId: number,
): Promise<LockedTask> {
  const task = await lockTask(tx, tenantId, taskId);
  if (!task) throw notFound('Task');
  return task;
}
