import type { Appeal } from '@sluice/contract';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

const everything = ['appeals'] as const;
const shownMax = 200;
const refreshMs = 30_000;

export const appealsQuery = (status: Appeal['status'] | undefined) =>
  queryOptions({
    queryKey: [...everything, status ?? 'all'],
    queryFn: ({ signal }) => api.governance.listAppeals({ query: { status, limit: shownMax } }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  });

type Decision = Parameters<typeof api.governance.decideAppeal>[0];

/** To grant an appeal changes its person too. */
export function useDecideAppeal() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (decision: Decision) => api.governance.decideAppeal(decision),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: everything });
      void queryClient.invalidateQueries({ queryKey: ['users'] });
    },
  });
}
