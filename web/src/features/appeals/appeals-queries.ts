import { type Appeal, governanceRoutes } from '@sluice/contract';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { createNounClient } from '../../lib/api.ts';

const calls = createNounClient(governanceRoutes);

const everything = ['appeals'] as const;
const shownMax = 200;
const refreshMs = 30_000;

export const appealsQuery = (status: Appeal['status'] | undefined) =>
  queryOptions({
    queryKey: [...everything, status ?? 'all'],
    queryFn: ({ signal }) => calls.listAppeals({ query: { status, limit: shownMax } }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  });

type Decision = Parameters<typeof calls.decideAppeal>[0];

/** To grant an appeal changes its person too. */
export function useDecideAppeal() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (decision: Decision) => calls.decideAppeal(decision),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: everything });
      void queryClient.invalidateQueries({ queryKey: ['users'] });
    },
  });
}
