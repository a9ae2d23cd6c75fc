import type { Task, tasksRoutes } from '@sluice/contract';
import type { z } from 'zod';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { formatTotalCount } from '#domain/total-count.ts';
import { notFound } from '#errors/console-error.ts';
import type { RouteInput } from '#http/console-route.ts';
import { Page } from '#http/verbs.ts';
import { selectTasks, selectUserStats, type TaskRow } from './store.ts';

export async function listTasks(
  tx: TenantTransaction,
  author: Principal,
  query: RouteInput<typeof tasksRoutes.listTasks>['query'],
): Promise<Page<Task[]>> {
  const rows = await selectTasks(tx, author.tenantId, {
    category: query.category,
    difficultyLevel: query.difficulty_level,
    isActive: query.is_active,
    search: query.search,
  });
  const totalCount = formatTotalCount(rows.length);
  return new Page(rows.map(toTask), totalCount);
}

export function getTask(tx: TenantTransaction, author: Principal, taskId: number): Promise<Task> {
  return readTask(tx, author.tenantId, taskId);
}

/** Returns a task as all task routes do. */
export async function readTask(tx: TenantTransaction, tenantId: number, taskId: number): Promise<Task> {
  const [row] = await selectTasks(tx, tenantId, { taskId });
  if (!row) throw notFound('Task');
  return toTask(row);
}

function toTask(row: TaskRow): Task {
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

export async function getTaskUserStats(
  tx: TenantTransaction,
  author: Principal,
): Promise<z.input<typeof tasksRoutes.getTaskUserStats.response>> {
  const rows = await selectUserStats(tx, author.tenantId);
  return rows.map((row) => ({
    user_id: row.userId,
    user_name: row.name,
    user_email: row.email,
    is_blocked: row.isBlocked,
    active_tasks: row.activeTasks,
    completed_tasks: row.completedTasks,
    tokens_used: row.tokensUsed,
    token_limit: row.isUnlimited ? null : row.tokenLimit,
  }));
}
