import { governanceRoutes, type QuotaStatus, quotaStatusRoutes } from '@sluice/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { createApiClient } from '../../lib/api.ts';

const governanceCalls = createApiClient(governanceRoutes);
const quotaStatusCalls = createApiClient(quotaStatusRoutes);

const refreshMs = 10_000;

/** The status of one's own account, read again while it is shown. */
export const accountStatusQuery = queryOptions({
  queryKey: ['account-status'],
  queryFn: ({ signal }) => quotaStatusCalls.getQuotaStatus(undefined, { signal }),
  refetchInterval: refreshMs,
});

/** One's own appeals, newest first; read anew whenever a block begins or ends. */
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
