import type { Spend, Task, tasksRoutes } from '@sluice/contract';
import type { z } from 'zod';
import { readSpend } from '#console/analytics/spend.ts';
import type { LogTransaction, TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import { formatTotalCount } from '#domain/total-count.ts';
import { notFound } from '#errors/console-error.ts';
import type { RouteInput } from '#http/console-route.ts';
import { Page } from '#http/verbs.ts';
import { selectTasks, selectUserStats, type TaskRow } from './store.ts';

export async function listTasks(
  tx: LogTransaction,
  author: Author,
  query: RouteInput<typeof tasksRoutes.listTasks>['query'],
): Promise<Page<Task[]>> {
  const rows = await selectTasks(tx, author.tenantId, {
    category: query.category,
    difficultyLevel: query.difficulty_level,
    isActive: query.is_active,
    search: query.search,
  });
  const totalCount = formatTotalCount(rows.length);
  const spendOf = await readSpend(tx.reports, author.tenantId, 'task');
  return new Page(
    rows.map((row) => toTask(row, spendOf(row.id))),
    totalCount,
  );
}

export function getTask(tx: TenantTransaction, author: Author, taskId: number): Promise<Task> {
  return readTask(tx, author.tenantId, taskId);
}

export async function readTask(tx: TenantTransaction, tenantId: number, taskId: number): Promise<Task> {
  const [row] = await selectTasks(tx, tenantId, { taskId });
  if (!row) throw notFound('Task');
  const spendOf = await readSpend(tx, tenantId, 'task', { task_id: taskId });
  return toTask(row, spendOf(taskId));
}

export function toTaskSettings(
  row: Pick<
    TaskRow,
    | 'title'
    | 'description'
    | 'category'
    | 'difficultyLevel'
    | 'estimatedHours'
    | 'tokenLimit'
    | 'maxTokensPerRequest'
    | 'isActive'
  >,
) {
  return {
    title: row.title,
    description: row.description,
    category: row.category,
    difficulty_level: row.difficultyLevel,
    estimated_hours: row.estimatedHours,
    token_limit: row.tokenLimit,
    max_tokens_per_request: row.maxTokensPerRequest,
    is_active: row.isActive,
  };
}

function toTask(row: TaskRow, spend: Spend): Task {
  return {
    id: row.id,
    ...toTaskSettings(row),
    created_at: row.createdAt.toISOString(),
    assigned_users_count: row.people,
    total_requests: row.requests,
    has_assignments: row.people > 0,
    is_dummy_task: row.isDummyTask,
    user_id: row.userId,
    ...spend,
  };
}

export async function getTaskUserStats(
  tx: TenantTransaction,
  author: Author,
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
