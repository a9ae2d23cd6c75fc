import { portalRoutes } from '@sluice/contract';
import { queryOptions } from '@tanstack/react-query';
import { createApiClient } from './api.ts';

const calls = createApiClient(portalRoutes);
const refreshMs = 30_000;

/** One's own assignments, newest first, read again while they are shown. */
export const userTasksQuery = queryOptions({
  queryKey: ['user-tasks'],
  queryFn: ({ signal }) => calls.listUserTasks(undefined, { signal }),
  refetchInterval: refreshMs,
});
