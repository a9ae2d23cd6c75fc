import { governanceRoutes, portalRoutes, type QuotaStatus } from '@sluice/contract';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { createApiClient } from '#lib/api.ts';

const governanceCalls = createApiClient(governanceRoutes);
const portalCalls = createApiClient(portalRoutes);

const refreshMs = 10_000;
const statsRefreshMs = 30_000;

export const recentRequestsQuery = (limit: number) =>
  queryOptions({
    queryKey: ['recent-requests', limit],
    queryFn: ({ signal }) => portalCalls.listUserLogs({ query: { limit } }, { signal }),
    refetchInterval: statsRefreshMs,
    placeholderData: keepPreviousData,
  });

/** Refetched when the user is blocked or unblocked. */
export const ownAppealsQuery = (blockedAt: QuotaStatus['blocked_at'] | undefined) =>
  queryOptions({
    queryKey: ['own-appeals', blockedAt ?? null],
    queryFn: ({ signal }) => governanceCalls.listOwnAppeals(undefined, { signal }),
    enabled: blockedAt !== undefined,
    refetchInterval: refreshMs,
  });

type NewAppeal = Parameters<typeof governanceCalls.createAppeal>[0];

export function useAppeal() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (appeal: NewAppeal) => governanceCalls.createAppeal(appeal),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['own-appeals'] }),
  });
}
