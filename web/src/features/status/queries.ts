import { jobsRoutes, systemRoutes } from '@sluice/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { createApiClient } from '#lib/api.ts';

const calls = createApiClient(systemRoutes);
const jobCalls = createApiClient(jobsRoutes);

/** In milliseconds. Nodes report their status every 10 seconds. */
const readAgainMs = 10_000;

/** Banners use a separate query that is refetched less often. */
export const operationQuery = queryOptions({
  queryKey: ['status', 'operation'],
  queryFn: async ({ signal }) => {
    const { version, operation } = await calls.getStatus(undefined, { signal });
    return { version, operation };
  },
  refetchInterval: readAgainMs,
});

export function useRunJob() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => jobCalls.runJob({ params: { name } }),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: operationQuery.queryKey }),
  });
}
