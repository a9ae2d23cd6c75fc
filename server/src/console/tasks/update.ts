import {
  noRequestLimit,
  noTokenLimit,
  overTokenLimit,
  type Task,
  type updateTaskBody,
} from '@sluice/contract';
import type { z } from 'zod';
import { invalidField } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { readTask } from './get.ts';
import { type LockedTask, requireTask } from './require-task.ts';
import { changeTask } from './store.ts';

/** Changes only the given fields; a new token limit applies at once to everyone who has the task. */
export function updateTask(
  ctx: SignedInContext,
  taskId: number,
  body: z.output<typeof updateTaskBody>,
): Promise<Task> {
  const { tenantId } = ctx.principal;
  return ctx.inTenant(async (tx) => {
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
  });
}

/** The schema compares the given fields; this check includes the stored ones. */
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

const hasNoLimits = 'An API access task has no limit of its own';
