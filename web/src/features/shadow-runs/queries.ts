import { type ShadowRequest, type ShadowRun, shadowRunsRoutes } from '@sluice/contract';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { readTotalCount, type TotalCount } from '#components/data-table/pager.tsx';
import { toPageQuery } from '#components/data-table/table-search.ts';
import { createApiClient } from '#lib/api.ts';
import { downloadFile, readFileName } from '#lib/download-file.ts';
import { requestsPageSize, type ShadowRunsSearch, toRequestFilters } from './search.ts';

const calls = createApiClient(shadowRunsRoutes);

const everything = ['shadow-runs'] as const;
const readAgainMs = 10_000;

/** Polled while a run is in progress. */
export const shadowRunsQuery = queryOptions({
  queryKey: [...everything, 'list'],
  queryFn: ({ signal }) => calls.listShadowRuns(undefined, { signal }),
  refetchInterval: ({ state: { data } }) =>
    data?.some(({ ended_at }) => ended_at === null) ? readAgainMs : false,
});

export const shadowRunQuery = (id: number) =>
  queryOptions({
    queryKey: [...everything, id],
    queryFn: ({ signal }) => calls.getShadowRun({ params: { id } }, { signal }),
    refetchInterval: ({ state: { data } }) => (data?.run.ended_at === null ? readAgainMs : false),
  });

interface RequestPage {
  requests: ShadowRequest[];
  total: TotalCount | null;
}

export const shadowRequestsQuery = (id: number, search: ShadowRunsSearch) => {
  const query = {
    ...toRequestFilters(search),
    ...toPageQuery({ ...search, before: undefined }, requestsPageSize),
  };
  return queryOptions({
    queryKey: [...everything, id, 'requests', query],
    queryFn: async ({ signal }): Promise<RequestPage> => {
      let total: TotalCount | null = null;
      const onHeaders = (headers: Headers) => {
        total = readTotalCount(headers.get('x-total-count'));
      };
      const requests = await calls.listShadowRequests({ params: { id }, query }, { signal, onHeaders });
      if (requests instanceof Blob) throw new TypeError('The requests are not JSON');
      return { requests, total };
    },
    // Rows of another run must not appear below this run's name.
    placeholderData: (previous, last) => (last?.queryKey[1] === id ? keepPreviousData(previous) : undefined),
  });
};

/** Downloads a CSV file. */
export async function saveRequests({ run: id = 0, ...search }: ShadowRunsSearch): Promise<void> {
  let fileName = `sluice-shadow-run-${id}.csv`;
  const onHeaders = (headers: Headers) => {
    fileName = readFileName(headers) ?? fileName;
  };
  const query = { ...toRequestFilters(search), format: 'csv' as const };
  const file = await calls.listShadowRequests({ params: { id }, query }, { onHeaders });
  if (file instanceof Blob) downloadFile(fileName, file);
}

export function useDeleteShadowRun() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Pick<ShadowRun, 'id'>) => calls.deleteShadowRun({ params: { id } }),
    onSuccess: (_message, { id }) => {
      queryClient.setQueryData(shadowRunsQuery.queryKey, (runs) => runs?.filter((run) => run.id !== id));
      queryClient.removeQueries({ queryKey: [...everything, id] });
    },
    onSettled: () => void queryClient.invalidateQueries({ queryKey: shadowRunsQuery.queryKey }),
  });
}
