import type { TenantTransaction } from '#db/tenant.ts';
import { invalidField } from '#errors/console-error.ts';
import { requireAssignee } from './require-assignee.ts';
import { lockTask } from './store.ts';

/** @throws ConsoleError 422 on the invalid field if the user cannot get the task. */
export async function requireAssignable(
  tx: TenantTransaction,
  tenantId: number,
  { taskId, userId }: { taskId: number; userId: number },
): Promise<void> {
  const task = await lockTask(tx, tenantId, taskId);
  if (!task) throw invalidField('task_id', 'Please select a task');
  if (!task.isActive) throw invalidField('task_id', 'This task is inactive. Activate it to assign it.');
  await requireAssignee(tx, tenantId, userId);
  if (task.isDummyTask && task.userId !== userId)
    throw invalidField('user_id', 'An API access task belongs to one user and cannot be given to another');
}
