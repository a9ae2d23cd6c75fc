import { createClient, type Task, type TaskAssignment, tasksRoutes } from '@sluice/contract';
import type { Locator, Page } from 'playwright-core';
import type { RunningSluice } from './running-sluice.ts';

export const tasksAddress = '**/api/v1/admin/tasks';
export const assignmentsAddress = '**/api/v1/admin/tasks/*/assignments';
export const impactAddress = '**/api/v1/admin/tasks/*/deletion-impact';
export const taskAddress = /\/api\/v1\/admin\/tasks\/\d+$/;

export function taskCallsAs(token: string, { url }: RunningSluice) {
  return createClient(tasksRoutes, {
    baseUrl: url,
    headers: () => ({ authorization: `Bearer ${token}` }),
  });
}

export async function openTasks(page: Page, search = ''): Promise<void> {
  await page.goto(`/admin/tasks${search}`);
  await page.locator('table[aria-label="Tasks"][aria-busy="false"]').waitFor();
}

export const drawer = (page: Page): Locator => page.getByRole('dialog', { name: 'Task assignments' });

/** Returns a task for screenshots and for states that a new installation does not have. */
export function describeTask(id: number, title: string, fields: Partial<Task> = {}): Task {
  return {
    id,
    title,
    description: 'Keep the service that takes payments up to date, and its tests green',
    category: 'coding',
    difficulty_level: 'intermediate',
    estimated_hours: 8,
    token_limit: 250_000,
    max_tokens_per_request: 4_000,
    is_active: true,
    created_at: '2026-11-03T09:00:00.000Z',
    assigned_users_count: 0,
    total_requests: 0,
    has_assignments: false,
    is_dummy_task: false,
    user_id: null,
    spend_usd_today: 0,
    spend_usd_month: 0,
    spend_usd_last_month: 0,
    ...fields,
  };
}

export function describeAssignment(
  id: number,
  user_name: string,
  fields: Partial<TaskAssignment> = {},
): TaskAssignment {
  return {
    id,
    task_id: 1,
    task_title: 'Payment service',
    user_id: id,
    user_name,
    user_email: `${user_name.toLowerCase().replaceAll(' ', '.')}@northwind.dev`,
    is_blocked: false,
    status: 'active',
    progress_notes: '',
    tokens_used: 0,
    token_limit: 250_000,
    total_requests: 0,
    last_request_at: null,
    assigned_by_name: 'Administrator',
    assigned_at: '2026-11-04T09:00:00.000Z',
    completion_date: null,
    ...fields,
  };
}
