import type { TaskAssignment, updateTaskAssignmentBody } from '@sluice/contract';
import type { z } from 'zod';
import type { TenantTransaction } from '#db/tenant.ts';
import { invalidField, notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { changeAssignment, findAssignment, insertAssignment } from './assignments-store.ts';
import { requireAssignable } from './require-assignable.ts';
import { readAssignment } from './to-task-assignment.ts';

type Body = z.output<typeof updateTaskAssignmentBody>;
type Assignment = NonNullable<Awaited<ReturnType<typeof findAssignment>>>;

/** Changes only the given fields. Usage counts per user and task, so changing either creates a new assignment. */
export function updateTaskAssignment(
  ctx: SignedInContext,
  assignmentId: number,
  body: Body,
): Promise<TaskAssignment> {
  const { tenantId, userId: assignedBy } = ctx.principal;
  return ctx.inTenant(async (tx) => {
    const assignment = await findAssignment(tx, tenantId, assignmentId);
    if (!assignment) throw notFound('Assignment');
    const { task_id: taskId = assignment.taskId, user_id: userId = assignment.userId } = body;
    if (taskId === assignment.taskId && userId === assignment.userId) {
      await change(tx, tenantId, assignment, body);
      return readAssignment(tx, tenantId, assignmentId);
    }
    const begun = { tenantId, taskId, userId, progressNotes: body.progress_notes ?? '', assignedBy };
    return readAssignment(tx, tenantId, await replace(tx, assignment, begun, body.status));
  });
}

/** A reactivated assignment keeps its usage. */
async function change(
  tx: TenantTransaction,
  tenantId: number,
  assignment: Assignment,
  body: Body,
): Promise<void> {
  const { progress_notes: progressNotes, status = assignment.status } = body;
  const changesStatus = status !== assignment.status;
  if (changesStatus && status === 'active') await requireAssignable(tx, tenantId, assignment);
  if (!changesStatus && progressNotes === undefined) return;
  await changeAssignment(tx, assignment.id, {
    progressNotes,
    ...(changesStatus && { status, endedAt: status === 'active' ? null : new Date() }),
  });
}

/** Assigns the new task before ending the old assignment; returns the id of the new one. */
async function replace(
  tx: TenantTransaction,
  assignment: Assignment,
  begun: Parameters<typeof insertAssignment>[1],
  status: Body['status'],
): Promise<number> {
  if (status !== undefined && status !== 'active')
    throw invalidField('status', 'Whoever is given a task begins to work on it: leave the status out');
  await requireAssignable(tx, begun.tenantId, begun);
  const id = await insertAssignment(tx, begun);
  if (assignment.status === 'active') {
    await changeAssignment(tx, assignment.id, { status: 'cancelled', endedAt: new Date() });
  }
  return id;
}
