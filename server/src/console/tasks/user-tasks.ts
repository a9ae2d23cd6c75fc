import type { UserTask } from '@sluice/contract';
import { readSpend } from '#console/analytics/spend.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { ConsoleError, notFound } from '#errors/console-error.ts';
import { changeAssignment, findAssignment, type OwnTaskRow, selectOwnTasks } from './assignments-store.ts';

export async function listUserTasks(tx: TenantTransaction, author: Principal): Promise<UserTask[]> {
  return describe(tx, author, await selectOwnTasks(tx, author));
}

/** Updates the notes of an assignment, even after it has ended. */
export async function updateTaskProgress(
  tx: TenantTransaction,
  author: Principal,
  { assignmentId, progressNotes }: { readonly assignmentId: number; readonly progressNotes: string },
): Promise<UserTask> {
  await requireOwn(tx, author, assignmentId);
  await changeAssignment(tx, assignmentId, { progressNotes });
  return readOwn(tx, author, assignmentId);
}

/**
 * Completes one of the caller's tasks.
 * @throws ConsoleError 404 for another user's assignment, 409 if the assignment has already ended
 */
export async function completeTask(
  tx: TenantTransaction,
  author: Principal,
  assignmentId: number,
): Promise<UserTask> {
  const { status } = await requireOwn(tx, author, assignmentId);
  if (status !== 'active') throw new ConsoleError(409, `This task is already ${status}`);
  await changeAssignment(tx, assignmentId, { status: 'completed', endedAt: new Date() });
  return readOwn(tx, author, assignmentId);
}

async function requireOwn(tx: TenantTransaction, { tenantId, userId }: Principal, assignmentId: number) {
  const assignment = await findAssignment(tx, tenantId, assignmentId);
  if (assignment?.userId !== userId) throw notFound('Task');
  return assignment;
}

async function readOwn(tx: TenantTransaction, principal: Principal, assignmentId: number): Promise<UserTask> {
  const [task] = await describe(tx, principal, await selectOwnTasks(tx, principal, assignmentId));
  if (!task) throw notFound('Task');
  return task;
}

async function describe(
  tx: TenantTransaction,
  { tenantId, userId }: Principal,
  rows: readonly OwnTaskRow[],
): Promise<UserTask[]> {
  const spendOf = await readSpend(tx, tenantId, 'task', { user_id: userId });
  return rows.map((row) => ({
    id: row.id,
    task_id: row.taskId,
    task_title: row.title,
    task_description: row.description,
    task_category: row.category,
    task_difficulty: row.difficulty,
    status: row.status,
    is_task_active: row.isTaskActive,
    is_dummy_task: row.isApiAccess,
    tokens_used: row.tokensUsed,
    token_limit: row.tokenLimit,
    estimated_hours: row.estimatedHours,
    progress_notes: row.progressNotes,
    assigned_at: row.assignedAt.toISOString(),
    completion_date: row.endedAt?.toISOString() ?? null,
    ...spendOf(row.taskId),
  }));
}
