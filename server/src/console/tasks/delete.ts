import type { SignedInContext } from '#http/console-route.ts';
import { cancelAssignments } from './assignments-store.ts';
import { requireTask } from './require-task.ts';
import { changeTask } from './store.ts';

/** Hides a task and ends its assignments; the row stays for the history of assignments and requests. */
export async function deleteTask(ctx: SignedInContext, taskId: number): Promise<undefined> {
  await ctx.inTenant(async (tx) => {
    await requireTask(tx, ctx.principal.tenantId, taskId);
    await changeTask(tx, taskId, { deletedAt: new Date() });
    await cancelAssignments(tx, taskId);
  });
}
