import type { createTaskAssignmentBody, TaskAssignment } from '@sluice/contract';
import type { z } from 'zod';
import type { AuthorContext } from '#http/console-route.ts';
import { insertAssignment } from './assignments-store.ts';
import { requireAssignable } from './require-assignable.ts';
import { readAssignment } from './to-task-assignment.ts';

/** Assigns a task to a user; the assignment counts its own usage. */
export function createTaskAssignment(
  ctx: AuthorContext,
  body: z.output<typeof createTaskAssignmentBody>,
): Promise<TaskAssignment> {
  const { tenantId, userId: assignedBy } = ctx.principal;
  const { progress_notes: progressNotes, task_id: taskId, user_id: userId } = body;
  return ctx.inTenant(async (tx) => {
    await requireAssignable(tx, tenantId, { taskId, userId });
    const id = await insertAssignment(tx, { tenantId, taskId, userId, progressNotes, assignedBy });
    return readAssignment(tx, tenantId, id);
  });
}
