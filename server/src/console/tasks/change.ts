import {
  type apiAccessTaskBody,
  type createTaskBody,
  noRequestLimit,
  noTokenLimit,
  overTokenLimit,
  type regularTaskBody,
  type Task,
  titleMax,
  type updateTaskBody,
} from '@sluice/contract';
import type { z } from 'zod';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import { invalidField, notFound } from '#errors/console-error.ts';
import { requireAssignee } from './assignments.ts';
import { insertAssignment } from './assignments-store.ts';
import { readTask } from './read.ts';
import { changeTask, insertTask, lockTask } from './store.ts';

export async function createTask(
  tx: TenantTransaction,
  author: Author,
  body: z.output<typeof createTaskBody>,
): Promise<Task> {
  const taskId = body.is_dummy_task
    ? await createApiAccessTask(tx, author, body)
    : await createRegularTask(tx, author, body);
  return readTask(tx, author.tenantId, taskId);
}

function createRegularTask(
  tx: TenantTransaction,
  { tenantId, userId }: Author,
  body: z.output<typeof regularTaskBody>,
): Promise<number> {
  return insertTask(tx, {
    tenantId,
    title: body.title,
    description: body.description,
    category: body.category,
    difficultyLevel: body.difficulty_level,
    estimatedHours: body.estimated_hours,
    tokenLimit: body.token_limit,
    maxTokensPerRequest: body.max_tokens_per_request,
    isActive: body.is_active,
    createdBy: userId,
  });
}

/** Creates and assigns the task in one transaction, so that the task is usable immediately. */
async function createApiAccessTask(
  tx: TenantTransaction,
  principal: Author,
  { user_id: userId }: z.output<typeof apiAccessTaskBody>,
): Promise<number> {
  const { tenantId } = principal;
  const { name } = await requireAssignee(tx, tenantId, userId, 'Please select a user for API access');
  const taskId = await insertTask(tx, {
    tenantId,
    title: `API access of ${name}`.slice(0, titleMax).toWellFormed(),
    description: 'Receives requests of this user that do not name a task.',
    category: 'other',
    difficultyLevel: 'beginner',
    estimatedHours: 1,
    tokenLimit: null,
    maxTokensPerRequest: null,
    isDummyTask: true,
    userId,
    createdBy: principal.userId,
  });
  await insertAssignment(tx, { tenantId, taskId, userId, assignedBy: principal.userId });
  return taskId;
}

/** A new token limit immediately applies to all users with the task. */
export async function updateTask(
  tx: TenantTransaction,
  author: Author,
  { taskId, body }: { readonly taskId: number; readonly body: z.output<typeof updateTaskBody> },
): Promise<Task> {
  const { tenantId } = author;
  checkLimits(await requireTask(tx, tenantId, taskId), body);
  if (Object.keys(body).length > 0) {
    await changeTask(tx, taskId, {
      title: body.title,
      description: body.description,
      category: body.category,
      difficultyLevel: body.difficulty_level,
      estimatedHours: body.estimated_hours,
      tokenLimit: body.token_limit,
      maxTokensPerRequest: body.max_tokens_per_request,
      isActive: body.is_active,
    });
  }
  return readTask(tx, tenantId, taskId);
}

/** Checks limits against each other, including stored limits. The schema only compares limits within the request. */
function checkLimits(task: LockedTask, body: z.output<typeof updateTaskBody>): void {
  const {
    token_limit: total = task.tokenLimit,
    max_tokens_per_request: perRequest = task.maxTokensPerRequest,
  } = body;
  const { isDummyTask } = task;
  if (total !== task.tokenLimit && (isDummyTask || total === null))
    throw invalidField('token_limit', isDummyTask ? hasNoLimits : noTokenLimit);
  if (perRequest !== task.maxTokensPerRequest && (isDummyTask || perRequest === null))
    throw invalidField('max_tokens_per_request', isDummyTask ? hasNoLimits : noRequestLimit);
  if (total !== null && (perRequest ?? 0) > total)
    throw invalidField('max_tokens_per_request', overTokenLimit);
}

const hasNoLimits = 'An API access task cannot have limits';

/** An inactive task keeps its assignments but accepts no requests. */
export async function toggleTaskStatus(tx: TenantTransaction, author: Author, taskId: number): Promise<Task> {
  const { tenantId } = author;
  const { isActive } = await requireTask(tx, tenantId, taskId);
  await changeTask(tx, taskId, { isActive: !isActive });
  return readTask(tx, tenantId, taskId);
}

type LockedTask = NonNullable<Awaited<ReturnType<typeof lockTask>>>;

/** @throws ConsoleError 404 if the tenant does not have the task */
export async function requireTask(
  tx: TenantTransaction,
  tenantId: number,
  taskId: number,
): Promise<LockedTask> {
  const task = await lockTask(tx, tenantId, taskId);
  if (!task) throw notFound('Task');
  return task;
}
