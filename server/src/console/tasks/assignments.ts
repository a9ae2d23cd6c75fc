import type {
  createTaskAssignmentBody,
  TaskAssignment,
  tasksRoutes,
  updateTaskAssignmentBody,
} from '@sluice/contract';
import type { z } from 'zod';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import { formatTotalCount } from '#domain/total-count.ts';
import { invalidField, notFound } from '#errors/console-error.ts';
import type { RouteInput } from '#http/console-route.ts';
import { Page } from '#http/verbs.ts';
import {
  type AssignmentRow,
  changeAssignment,
  countAssignments,
  findAssignment,
  findTaskId,
  insertAssignment,
  selectAssignments,
} from './assignments-store.ts';
import { readTask } from './read.ts';
import { findAssignee, lockTask } from './store.ts';

/** Usage is counted per assignment. */
export async function createTaskAssignment(
  tx: TenantTransaction,
  author: Author,
  body: z.output<typeof createTaskAssignmentBody>,
): Promise<TaskAssignment> {
  const { tenantId, userId: assignedBy } = author;
  const { progress_notes: progressNotes, task_id: taskId, user_id: userId } = body;
  await requireAssignable(tx, tenantId, { taskId, userId });
  const id = await insertAssignment(tx, { tenantId, taskId, userId, progressNotes, assignedBy });
  return readAssignment(tx, tenantId, id);
}

/** Has no effect if the assignment has already ended. */
export async function deleteTaskAssignment(
  tx: TenantTransaction,
  author: Author,
  assignmentId: number,
): Promise<undefined> {
  const assignment = await findAssignment(tx, author.tenantId, assignmentId);
  if (!assignment) throw notFound('Assignment');
  if (assignment.status !== 'active') return;
  await changeAssignment(tx, assignmentId, { status: 'cancelled', endedAt: new Date() });
}

export async function listAssignmentsOfTask(
  tx: TenantTransaction,
  author: Author,
  taskId: number,
): Promise<Page<TaskAssignment[]>> {
  const { tenantId } = author;
  await readTask(tx, tenantId, taskId);
  const rows = await selectAssignments(tx, tenantId, { taskId });
  const totalCount = formatTotalCount(rows.length);
  return new Page(
    rows
      .toSorted((one, other) => Number(other.status === 'active') - Number(one.status === 'active'))
      .map(toTaskAssignment),
    totalCount,
  );
}

export async function listTaskAssignments(
  tx: TenantTransaction,
  author: Author,
  query: RouteInput<typeof tasksRoutes.listTaskAssignments>['query'],
): Promise<Page<TaskAssignment[]>> {
  const { tenantId } = author;
  const { task_id: taskId, user_id: userId, status, before } = query;
  const selection = { taskId, userId, status, before };
  const totalCount = formatTotalCount(await countAssignments(tx, tenantId, selection));
  const rows = await selectAssignments(tx, tenantId, selection, query);
  return new Page(rows.map(toTaskAssignment), totalCount);
}

type Body = z.output<typeof updateTaskAssignmentBody>;
type Assignment = NonNullable<Awaited<ReturnType<typeof findAssignment>>>;

/**
 * Changes the specified fields. Usage is counted per user and task, so changing either one creates a new assignment.
 */
export async function updateTaskAssignment(
  tx: TenantTransaction,
  author: Author,
  { assignmentId, body }: { readonly assignmentId: number; readonly body: Body },
): Promise<TaskAssignment> {
  const { tenantId, userId: assignedBy } = author;
  await lockTasks(tx, tenantId, [await findTaskId(tx, tenantId, assignmentId), body.task_id]);
  const assignment = await findAssignment(tx, tenantId, assignmentId);
  if (!assignment) throw notFound('Assignment');
  const { task_id: taskId = assignment.taskId, user_id: userId = assignment.userId } = body;
  if (taskId === assignment.taskId && userId === assignment.userId) {
    await change(tx, tenantId, assignment, body);
    return readAssignment(tx, tenantId, assignmentId);
  }
  const begun = { tenantId, taskId, userId, progressNotes: body.progress_notes ?? '', assignedBy };
  return readAssignment(tx, tenantId, await replace(tx, assignment, begun, body.status));
}

/** Locks tasks in ascending id order and before their assignments, in the same order as a task deletion. */
async function lockTasks(
  tx: TenantTransaction,
  tenantId: number,
  taskIds: readonly (number | undefined)[],
): Promise<void> {
  const ids = new Set(taskIds.filter((id) => id !== undefined));
  for (const id of [...ids].toSorted((one, other) => one - other)) await lockTask(tx, tenantId, id);
}

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

/** Returns the id of the new assignment. */
async function replace(
  tx: TenantTransaction,
  assignment: Assignment,
  begun: Parameters<typeof insertAssignment>[1],
  status: Body['status'],
): Promise<number> {
  if (status !== undefined && status !== 'active')
    throw invalidField('status', 'A new assignment is always active: omit the status');
  await requireAssignable(tx, begun.tenantId, begun);
  const id = await insertAssignment(tx, begun);
  if (assignment.status === 'active') {
    await changeAssignment(tx, assignment.id, { status: 'cancelled', endedAt: new Date() });
  }
  return id;
}

/** @throws ConsoleError 422 on the invalid field */
async function requireAssignable(
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

/** @throws ConsoleError 422 on `user_id`, with `problem` if the tenant does not have the user */
export async function requireAssignee(
  tx: TenantTransaction,
  tenantId: number,
  userId: number,
  problem = 'Please select a user',
): Promise<{ id: number; name: string }> {
  const person = await findAssignee(tx, tenantId, userId);
  if (!person) throw invalidField('user_id', problem);
  if (person.isBlocked) throw invalidField('user_id', `${problem} who is not blocked`);
  if (!person.isActive) throw invalidField('user_id', `${problem} who is active`);
  return person;
}

async function readAssignment(
  tx: TenantTransaction,
  tenantId: number,
  assignmentId: number,
): Promise<TaskAssignment> {
  const [row] = await selectAssignments(tx, tenantId, { assignmentId });
  if (!row) throw notFound('Assignment');
  return toTaskAssignment(row);
}

function toTaskAssignment(row: AssignmentRow): TaskAssignment {
  return {
    id: row.id,
    task_id: row.taskId,
    task_title: row.taskTitle,
    user_id: row.userId,
    user_name: row.userName,
    user_email: row.userEmail,
    is_blocked: row.isBlocked,
    status: row.status,
    progress_notes: row.progressNotes,
    tokens_used: row.tokensUsed,
    token_limit: row.tokenLimit,
    total_requests: row.requests,
    last_request_at: row.lastRequestAt?.toISOString() ?? null,
    assigned_by_name: row.assignedByName,
    assigned_at: row.assignedAt.toISOString(),
    completion_date: row.endedAt?.toISOString() ?? null,
  };
}
