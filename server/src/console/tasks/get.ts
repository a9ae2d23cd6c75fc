import type { Task } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { selectTasks, type TaskRow } from './store.ts';

export function getTask(ctx: SignedInContext, taskId: number): Promise<Task> {
  return ctx.inTenant((tx) => readTask(tx, ctx.principal.tenantId, taskId));
}

/** Returns a task as all task routes do. */
export async function readTask(tx: TenantTransaction, tenantId: number, taskId: number): Promise<Task> {
  const [row] = await selectTasks(tx, tenantId, { taskId });
  if (!row) throw notFound('Task');
  return toTask(row);
}

export function toTask(row: TaskRow): Task {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    category: row.category,
    difficulty_level: row.difficultyLevel,
    estimated_hours: row.estimatedHours,
    token_limit: row.tokenLimit,
    max_tokens_per_request: row.maxTokensPerRequest,
    is_active: row.isActive,
    created_at: row.createdAt.toISOString(),
    assigned_users_count: row.people,
    total_requests: row.requests,
    has_assignments: row.people > 0,
    is_dummy_task: row.isDummyTask,
    user_id: row.userId,
  };
}
