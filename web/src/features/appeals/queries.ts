import { type Appeal, governanceRoutes } from '@sluice/contract';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { createApiClient } from '#lib/api.ts';
import { loadPages } from '#lib/load-pages.ts';

const calls = createApiClient(governanceRoutes);

const everything = ['appeals'] as const;
const pageSize = 200;
const refreshMs = 30_000;

export const appealsQuery = (status: Appeal['status'] | undefined) =>
  queryOptions({
    queryKey: [...everything, status ?? 'all'],
    queryFn: ({ signal }) =>
      loadPages<Appeal>(pageSize, ({ limit }, last) =>
        calls.listAppeals({ query: { status, limit, before: last?.id } }, { signal }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  });

type Decision = Parameters<typeof calls.decideAppeal>[0];

export const useDecideAppeal = () => useAppealChange((decision: Decision) => calls.decideAppeal(decision));

export const useReopenAppeal = () => useAppealChange((id: number) => calls.reopenAppeal({ params: { id } }));

function useAppealChange<Input>(change: (input: Input) => Promise<Appeal>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: everything });
      void queryClient.invalidateQueries({ queryKey: ['users'] });
    },
  });
}
