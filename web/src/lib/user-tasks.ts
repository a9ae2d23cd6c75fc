import { portalRoutes, type UserTask } from '@sluice/contract';
import { queryOptions } from '@tanstack/react-query';
import { createApiClient } from './api.ts';

const calls = createApiClient(portalRoutes);
const refreshMs = 30_000;

export const userTasksQuery = queryOptions({
  queryKey: ['user-tasks'],
  queryFn: ({ signal }) => calls.listUserTasks(undefined, { signal }),
  refetchInterval: refreshMs,
});

export const isOpenTask = ({ status, is_task_active }: UserTask) => status === 'active' && is_task_active;

/** Returns the task that requests without a task count toward: the API access task, else the only open task. */
export function findDefaultTask(tasks: readonly UserTask[] = []): UserTask | undefined {
  const open = tasks.filter(isOpenTask);
  return open.find(({ is_dummy_task }) => is_dummy_task) ?? (open.length === 1 ? open[0] : undefined);
}
