import type { TaskAssignment, tasksRoutes } from '@sluice/contract';
import { formatTotalCount } from '#domain/total-count.ts';
import type { RouteInput, SignedInContext } from '#http/console-route.ts';
import { countAssignments, selectAssignments } from './assignments-store.ts';
import { readTask } from './get.ts';
import { toTaskAssignment } from './to-task-assignment.ts';

/** Lists active assignments first, then by age, newest first. */
export function listAssignmentsOfTask(ctx: SignedInContext, taskId: number): Promise<TaskAssignment[]> {
  const { tenantId } = ctx.principal;
  return ctx.inTenant(async (tx) => {
    await readTask(tx, tenantId, taskId);
    const rows = await selectAssignments(tx, tenantId, { taskId });
    ctx.setHeader('x-total-count', formatTotalCount(rows.length));
    return rows
      .toSorted((one, other) => Number(other.status === 'active') - Number(one.status === 'active'))
      .map(toTaskAssignment);
  });
}

export function listTaskAssignments(
  ctx: SignedInContext,
  { query }: RouteInput<typeof tasksRoutes.listTaskAssignments>,
): Promise<TaskAssignment[]> {
  const { tenantId } = ctx.principal;
  const selection = { taskId: query.task_id, userId: query.user_id, status: query.status };
  return ctx.inTenant(async (tx) => {
    ctx.setHeader('x-total-count', formatTotalCount(await countAssignments(tx, tenantId, selection)));
    const rows = await selectAssignments(tx, tenantId, selection, query);
    return rows.map(toTaskAssignment);
  });
}
