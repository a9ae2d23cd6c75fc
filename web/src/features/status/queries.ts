import { jobsRoutes, systemRoutes } from '@sluice/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { createApiClient } from '#lib/api.ts';

const calls = createApiClient(systemRoutes);
const jobCalls = createApiClient(jobsRoutes);

/** Refetch interval in milliseconds. Nodes report their status every 10 seconds. */
const readAgainMs = 10_000;

/** State of the installation. Banners use a separate query that is refetched less often. */
export const operationQuery = queryOptions({
  queryKey: ['status', 'operation'],
  queryFn: async ({ signal }) => {
    const { version, operation } = await calls.getStatus(undefined, { signal });
    return { version, operation };
  },
  refetchInterval: readAgainMs,
});

/** Returns a mutation that starts a job. The status page shows the result. */
export function useRunJob() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => jobCalls.runJob({ params: { name } }),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: operationQuery.queryKey }),
  });
}
