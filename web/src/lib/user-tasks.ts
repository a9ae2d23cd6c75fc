import { portalRoutes } from '@sluice/contract';
import { queryOptions } from '@tanstack/react-query';
import { createApiClient } from './api.ts';

const calls = createApiClient(portalRoutes);
const refreshMs = 30_000;

/** The user's own assignments, newest first, refetched while displayed. */
export const userTasksQuery = queryOptions({
  queryKey: ['user-tasks'],
  queryFn: ({ signal }) => calls.listUserTasks(undefined, { signal }),
  refetchInterval: refreshMs,
});
