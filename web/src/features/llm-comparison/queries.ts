import {
  type Comparison,
  type ComparisonVote,
  comparisonTimeoutMs,
  type createComparisonBody,
  llmComparisonRoutes,
  providerAccessRoutes,
} from '@sluice/contract';
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { z } from 'zod';
import { createApiClient } from '#lib/api.ts';
import { type ComparisonSearch, hasComparisonFilters } from './search.ts';

export const comparisons = createApiClient(llmComparisonRoutes);
const providerAccess = createApiClient(providerAccessRoutes);

const key = 'llm-comparison';

export const comparedProvidersQuery = queryOptions({
  queryKey: [key, 'providers'],
  queryFn: async ({ signal }) => {
    const providers = await providerAccess.listGrantableProviders(undefined, { signal });
    return providers.filter(({ is_active }) => is_active);
  },
});

export const comparisonStatsQuery = queryOptions({
  queryKey: [key, 'stats'],
  queryFn: ({ signal }) => comparisons.getComparisonStats(undefined, { signal }),
});

/** Counts all blind votes of the tenant. */
export const winRatesQuery = queryOptions({
  queryKey: [key, 'win-rates'],
  queryFn: ({ signal }) => comparisons.listWinRates(undefined, { signal }),
});

export const comparisonKey = (id: string) => [key, 'one', id];

const historySize = 10;
/** Search results have no pages. */
const foundMax = 100;

/** Loaded in pages, or in one page if filters are set. */
export const historyQuery = (search: ComparisonSearch) => {
  const { filter, status, of } = search;
  const limit = hasComparisonFilters(search) ? foundMax : historySize;
  const wanted = { status, ...(filter === undefined ? {} : { search: String(filter).slice(0, 200) }) };
  const list = of === 'everyone' ? comparisons.listAllComparisons : comparisons.listComparisons;
  return infiniteQueryOptions({
    queryKey: [key, 'history', of, wanted],
    queryFn: ({ signal, pageParam: before }) => list({ query: { ...wanted, limit, before } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: Comparison[]) => (last.length < limit ? undefined : last.at(-1)?.id),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.pages.flat().some(isRunning) ? lookAgainMs : false),
  });
};

/** In milliseconds, while a listed comparison is running. */
const lookAgainMs = 5_000;

const isRunning = ({ status, created_at }: Comparison) =>
  status === 'pending' && Date.now() - Date.parse(created_at) < comparisonTimeoutMs;

export function useRefreshComparisons() {
  const queryClient = useQueryClient();
  return () => {
    void queryClient.invalidateQueries({ queryKey: [key, 'stats'] });
    void queryClient.invalidateQueries({ queryKey: [key, 'history'] });
  };
}

/** The response reveals the models. */
export function useVote(id: string) {
  const queryClient = useQueryClient();
  const refresh = useRefreshComparisons();
  return useMutation({
    mutationFn: (vote: ComparisonVote) => comparisons.voteOnComparison({ params: { id }, body: { vote } }),
    onSuccess: (revealed) => {
      queryClient.setQueryData(comparisonKey(id), revealed);
      refresh();
      void queryClient.invalidateQueries({ queryKey: [key, 'win-rates'] });
    },
  });
}

export function useCreateComparison() {
  const queryClient = useQueryClient();
  const refresh = useRefreshComparisons();
  return useMutation({
    mutationFn: (body: z.input<typeof createComparisonBody>) => comparisons.createComparison({ body }),
    onSuccess: (created) => {
      queryClient.setQueryData(comparisonKey(created.id), created);
      refresh();
    },
  });
}
