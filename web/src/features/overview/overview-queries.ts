import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

const lookAgainMs = 5000;

export const llmProvidersQuery = queryOptions({
  queryKey: ['llm-providers'],
  queryFn: ({ signal }) => api.llmProviders.listLlmProviders(undefined, { signal }),
});

/** The newest request; looks again until there is a first one. */
export const newestLogQuery = queryOptions({
  queryKey: ['logs', 'newest'],
  queryFn: ({ signal }) => api.logs.listLogs({ query: { limit: 1 } }, { signal }),
  refetchInterval: (query) => (query.state.data?.length === 0 ? lookAgainMs : false),
});
