import type { TaskDeletionImpact } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import { notFound } from '#errors/console-error.ts';
import {
  type AssignmentRow,
  cancelAssignments,
  selectAssignments,
  selectPeopleWithoutOtherTask,
} from './assignments-store.ts';
import { requireTask } from './change.ts';
import { changeTask, countRecentRequests, selectTasks, type TaskRow } from './store.ts';

const dayMs = 24 * 60 * 60_000;

export async function getTaskDeletionImpact(
  tx: TenantTransaction,
  author: Author,
  taskId: number,
): Promise<TaskDeletionImpact> {
  const { tenantId } = author;
  const [task] = await selectTasks(tx, tenantId, { taskId });
  if (!task) throw notFound('Task');
  const assignments = await selectAssignments(tx, tenantId, { taskId, status: 'active' });
  const recentRequests = await countRecentRequests(tx, tenantId, taskId);
  const stranded = await selectPeopleWithoutOtherTask(tx, tenantId, taskId);
  return {
    active_assignments_count: assignments.length,
    affected_users: assignments.map(toAffectedUser),
    warnings: listWarnings(task, assignments, recentRequests, stranded),
  };
}

function toAffectedUser({ assignedAt, userEmail, userId, userName }: AssignmentRow) {
  return {
    user_id: userId,
    user_name: userName,
    user_email: userEmail,
    assignment_duration_days: Math.max(0, Math.floor((Date.now() - assignedAt.getTime()) / dayMs)),
    assigned_since: assignedAt.toISOString(),
  };
}

const formatCount = (count: number) => count.toLocaleString('en-US');

function listWarnings(
  task: TaskRow,
  assignments: readonly AssignmentRow[],
  recentRequests: number,
  stranded: ReadonlySet<number>,
): string[] {
  const warnings: string[] = [];
  if (task.isDummyTask)
    warnings.push('This is an API access task: its user will have to name a task in every request.');
  if (recentRequests > 0) {
    const were = recentRequests === 1 ? 'request was' : 'requests were';
    warnings.push(`${formatCount(recentRequests)} ${were} made for it in the last hour.`);
  }
  const names = assignments.filter(({ userId }) => stranded.has(userId)).map(({ userName }) => userName);
  if (names.length > 0)
    warnings.push(`${nameSome(names)} will have no task left, so the gateway will reject their requests.`);
  const left = assignments.reduce(
    (sum, { tokenLimit, tokensUsed }) => sum + Math.max(0, (tokenLimit ?? 0) - tokensUsed),
    0,
  );
  if (left > 0) warnings.push(`Its users have ${formatCount(left)} unused tokens.`);
  return warnings;
}

const namesMax = 3;
const conjunction = new Intl.ListFormat('en-US');

function nameSome(names: readonly string[]): string {
  const more = names.length - namesMax;
  return conjunction.format(more > 0 ? [...names.slice(0, namesMax), `${more} more`] : names);
}

/** Hides a task and ends its assignments. The row is kept for the history of assignments and requests. */
export async function deleteTask(tx: TenantTransaction, author: Author, taskId: number): Promise<undefined> {
  await requireTask(tx, author.tenantId, taskId);
  await changeTask(tx, taskId, { deletedAt: new Date() });
  await cancelAssignments(tx, taskId);
}
