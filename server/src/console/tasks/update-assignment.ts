import type { TaskAssignment, updateTaskAssignmentBody } from '@sluice/contract';
import type { z } from 'zod';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { changeAssignment, findAssignment } from './assignments-store.ts';
import { readAssignment } from './describe-assignment.ts';
import { requireAssignable } from './require-assignable.ts';

/** Changes only what is given. An assignment that is taken up again goes on counting where it had stopped. */
export function updateTaskAssignment(
  ctx: SignedInContext,
  assignmentId: number,
  body: z.output<typeof updateTaskAssignmentBody>,
): Promise<TaskAssignment> {
  const { tenantId } = ctx.principal;
  return ctx.inTenant(async (tx) => {
    const assignment = await findAssignment(tx, tenantId, assignmentId);
    if (!assignment) throw notFound('Assignment');
    const status = body.status ?? assignment.status;
    const changesStatus = status !== assignment.status;
    if (changesStatus && status === 'active') await requireAssignable(tx, tenantId, assignment);
    if (Object.keys(body).length > 0) {
      await changeAssignment(tx, assignmentId, {
        progressNotes: body.progress_notes,
        ...(changesStatus && { status, endedAt: status === 'active' ? null : new Date() }),
      });
    }
    return readAssignment(tx, tenantId, assignmentId);
  });
}
