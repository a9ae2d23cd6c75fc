import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { changeAssignment, findAssignment } from './assignments-store.ts';

/** Ends an assignment; no effect if it has already ended. */
export async function deleteTaskAssignment(ctx: SignedInContext, assignmentId: number): Promise<undefined> {
  await ctx.inTenant(async (tx) => {
    const assignment = await findAssignment(tx, ctx.principal.tenantId, assignmentId);
    if (!assignment) throw notFound('Assignment');
    if (assignment.status !== 'active') return;
    await changeAssignment(tx, assignmentId, { status: 'cancelled', endedAt: new Date() });
  });
}
