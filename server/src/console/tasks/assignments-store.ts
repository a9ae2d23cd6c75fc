import type { assignmentStatuses } from '@sluice/contract';
import { and, count, desc, eq, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { allowances, taskAssignments, tasks } from '#db/schema/tasks.ts';
import { users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { totalCountMax } from '#domain/total-count.ts';
import { ConsoleError } from '#errors/console-error.ts';
import { brokenConstraint, ofAssignment } from './store.ts';

export interface AssignmentSelection {
  readonly assignmentId?: number | undefined;
  readonly taskId?: number | undefined;
  readonly userId?: number | undefined;
  readonly status?: (typeof assignmentStatuses)[number] | undefined;
  /** Only returns assignments with a lower id. */
  readonly before?: number | undefined;
}

export interface AssignmentPage {
  readonly skip: number;
  readonly limit: number;
}

export async function selectAssignments(
  tx: TenantTransaction,
  tenantId: number,
  selection: AssignmentSelection,
  page?: AssignmentPage,
) {
  const assigner = alias(users, 'assigner');
  const query = tx
    .select({
      id: taskAssignments.id,
      taskId: taskAssignments.taskId,
      taskTitle: tasks.title,
      userId: taskAssignments.userId,
      userName: users.name,
      userEmail: users.email,
      isBlocked: users.isBlocked,
      status: taskAssignments.status,
      progressNotes: taskAssignments.progressNotes,
      tokensUsed: sql`coalesce(${allowances.settled}, 0)`.mapWith(Number),
      tokenLimit: allowances.limitAmount,
      requests: sql`coalesce(${allowances.requests}, 0)`.mapWith(Number),
      lastRequestAt: allowances.lastUsedAt,
      assignedByName: assigner.name,
      assignedAt: taskAssignments.assignedAt,
      endedAt: taskAssignments.endedAt,
    })
    .from(taskAssignments)
    .innerJoin(tasks, eq(tasks.id, taskAssignments.taskId))
    .innerJoin(users, eq(users.id, taskAssignments.userId))
    .leftJoin(assigner, eq(assigner.id, taskAssignments.assignedBy))
    .leftJoin(allowances, ofAssignment)
    .where(selectionCondition(tenantId, selection))
    .orderBy(desc(taskAssignments.id));
  return page === undefined ? query : query.offset(page.skip).limit(page.limit);
}

export type AssignmentRow = Awaited<ReturnType<typeof selectAssignments>>[number];

export function selectOwnTasks(
  tx: TenantTransaction,
  { tenantId, userId }: { tenantId: number; userId: number },
  assignmentId?: number,
) {
  return tx
    .select({
      id: taskAssignments.id,
      taskId: taskAssignments.taskId,
      title: tasks.title,
      description: tasks.description,
      category: tasks.category,
      difficulty: tasks.difficultyLevel,
      estimatedHours: tasks.estimatedHours,
      isTaskActive: tasks.isActive,
      isApiAccess: tasks.isDummyTask,
      status: taskAssignments.status,
      progressNotes: taskAssignments.progressNotes,
      tokensUsed: sql`coalesce(${allowances.settled}, 0)`.mapWith(Number),
      tokenLimit: tasks.tokenLimit,
      assignedAt: taskAssignments.assignedAt,
      endedAt: taskAssignments.endedAt,
    })
    .from(taskAssignments)
    .innerJoin(tasks, eq(tasks.id, taskAssignments.taskId))
    .leftJoin(allowances, ofAssignment)
    .where(
      and(
        eq(taskAssignments.tenantId, tenantId),
        eq(taskAssignments.userId, userId),
        assignmentId === undefined ? undefined : eq(taskAssignments.id, assignmentId),
      ),
    )
    .orderBy(desc(taskAssignments.id));
}

export type OwnTaskRow = Awaited<ReturnType<typeof selectOwnTasks>>[number];

/** Counts at most `totalCountMax + 1` assignments. */
export async function countAssignments(
  tx: TenantTransaction,
  tenantId: number,
  selection: AssignmentSelection,
): Promise<number> {
  const counted = tx
    .select({ id: taskAssignments.id })
    .from(taskAssignments)
    .where(selectionCondition(tenantId, selection))
    .limit(totalCountMax + 1)
    .as('counted');
  const [row] = await tx.select({ total: count() }).from(counted);
  return row?.total ?? 0;
}

function selectionCondition(tenantId: number, selection: AssignmentSelection): SQL | undefined {
  const { assignmentId, taskId, userId, status, before } = selection;
  return and(
    eq(taskAssignments.tenantId, tenantId),
    assignmentId === undefined ? undefined : eq(taskAssignments.id, assignmentId),
    taskId === undefined ? undefined : eq(taskAssignments.taskId, taskId),
    userId === undefined ? undefined : eq(taskAssignments.userId, userId),
    status === undefined ? undefined : eq(taskAssignments.status, status),
    before === undefined ? undefined : lt(taskAssignments.id, before),
  );
}

export async function findAssignment(tx: TenantTransaction, tenantId: number, assignmentId: number) {
  const [row] = await tx
    .select({
      id: taskAssignments.id,
      taskId: taskAssignments.taskId,
      userId: taskAssignments.userId,
      status: taskAssignments.status,
    })
    .from(taskAssignments)
    .where(selectionCondition(tenantId, { assignmentId }))
    .for('no key update');
  return row;
}

/**
 * Returns the id of an assignment's task; `undefined` if there is no such assignment. The task of an assignment never
 * changes.
 */
export async function findTaskId(tx: TenantTransaction, tenantId: number, assignmentId: number) {
  const [row] = await tx
    .select({ taskId: taskAssignments.taskId })
    .from(taskAssignments)
    .where(selectionCondition(tenantId, { assignmentId }));
  return row?.taskId;
}

export async function selectPeopleWithoutOtherTask(tx: TenantTransaction, tenantId: number, taskId: number) {
  const other = alias(taskAssignments, 'other');
  const rows = await tx
    .select({ userId: taskAssignments.userId })
    .from(taskAssignments)
    .leftJoin(
      other,
      and(
        eq(other.userId, taskAssignments.userId),
        eq(other.status, 'active'),
        sql`${other.taskId} IN (SELECT id FROM tasks WHERE is_active AND deleted_at IS NULL AND id <> ${taskId})`,
      ),
    )
    .where(and(selectionCondition(tenantId, { taskId, status: 'active' }), isNull(other.id)));
  return new Set(rows.map(({ userId }) => userId));
}

/** @throws ConsoleError 409 if the user already has the task */
export async function insertAssignment(
  tx: TenantTransaction,
  values: typeof taskAssignments.$inferInsert,
): Promise<number> {
  const [row] = await explained(
    tx.insert(taskAssignments).values(values).returning({ id: taskAssignments.id }),
  );
  if (!row) throw new Error('the insert returned no row');
  return row.id;
}

/** @throws ConsoleError 409 if the user already has the task through another assignment */
export async function changeAssignment(
  tx: TenantTransaction,
  assignmentId: number,
  columns: Partial<typeof taskAssignments.$inferInsert>,
): Promise<void> {
  await explained(tx.update(taskAssignments).set(columns).where(eq(taskAssignments.id, assignmentId)));
}

export async function cancelAssignments(tx: TenantTransaction, taskId: number): Promise<void> {
  await tx
    .update(taskAssignments)
    .set({ status: 'cancelled', endedAt: sql`now()` })
    .where(and(eq(taskAssignments.taskId, taskId), eq(taskAssignments.status, 'active')));
}

async function explained<Result>(query: Promise<Result>): Promise<Result> {
  try {
    return await query;
  } catch (error) {
    if (brokenConstraint(error) !== 'task_assignments_one_active') throw error;
    throw new ConsoleError(409, 'This user is already assigned to this task');
  }
}
