import { and, asc, eq, isNull } from 'drizzle-orm';
import { taskAssignments, tasks } from '#db/schema/tasks.ts';
import type { TenantTransaction } from '#db/tenant.ts';

export function selectActiveTasks(tx: TenantTransaction, userId: number) {
  return tx
    .select({
      id: tasks.id,
      title: tasks.title,
      description: tasks.description,
      category: tasks.category,
      isApiAccess: tasks.isDummyTask,
      tokenLimit: tasks.tokenLimit,
      assignmentId: taskAssignments.id,
    })
    .from(taskAssignments)
    .innerJoin(tasks, eq(tasks.id, taskAssignments.taskId))
    .where(
      and(
        eq(taskAssignments.userId, userId),
        eq(taskAssignments.status, 'active'),
        tasks.isActive,
        isNull(tasks.deletedAt),
      ),
    )
    .orderBy(asc(tasks.id));
}
