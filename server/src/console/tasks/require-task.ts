import type { TenantTransaction } from '#db/tenant.ts';
import { notFound } from '#errors/console-error.ts';
import { lockTask } from './store.ts';

export type LockedTask = NonNullable<Awaited<ReturnType<typeof lockTask>>>;

/** The task that the caller is about to change. @throws ConsoleError 404 when the tenant has no such task. */
export async function requireTask(
  tx: TenantTransaction,
  tenantId: number,
  taskId: number,
): Promise<LockedTask> {
  const task = await lockTask(tx, tenantId, taskId);
  if (!task) throw notFound('Task');
  return task;
}
