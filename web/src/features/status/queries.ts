import { jobsRoutes, systemRoutes } from '@sluice/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { createApiClient } from '../../lib/api.ts';

const calls = createApiClient(systemRoutes);
const jobCalls = createApiClient(jobsRoutes);

/** A node says how it does every 10 seconds. */
const readAgainMs = 10_000;

/** How the installation does; the banners of every page are read apart, and seldom. */
export const operationQuery = queryOptions({
  queryKey: ['status', 'operation'],
  queryFn: async ({ signal }) => {
    const { version, operation } = await calls.getStatus(undefined, { signal });
    return { version, operation };
  },
  refetchInterval: readAgainMs,
});

/** Makes a job due now; the status shows how it went. */
export function useRunJob() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => jobCalls.runJob({ params: { name } }),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: operationQuery.queryKey }),
  });
}
