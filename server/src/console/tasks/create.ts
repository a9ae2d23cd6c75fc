import {
  type apiAccessTaskBody,
  type createTaskBody,
  type regularTaskBody,
  type Task,
  titleMax,
} from '@sluice/contract';
import type { z } from 'zod';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import type { AuthorContext } from '#http/console-route.ts';
import { insertAssignment } from './assignments-store.ts';
import { readTask } from './get.ts';
import { requireAssignee } from './require-assignee.ts';
import { insertTask } from './store.ts';

export function createTask(ctx: AuthorContext, body: z.output<typeof createTaskBody>): Promise<Task> {
  const { principal } = ctx;
  return ctx.inTenant(async (tx) => {
    const taskId = body.is_dummy_task
      ? await createApiAccessTask(tx, principal, body)
      : await createRegularTask(tx, principal, body);
    return readTask(tx, principal.tenantId, taskId);
  });
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

/** Creates and assigns the task in one transaction, so that it is usable from the start. */
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
    description: 'Takes the requests of this user that name no task.',
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
