import type { LogEntry } from '@sluice/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

const pageSize = 100;
const refreshMs = 10_000;

export const logsQuery = queryOptions({
  queryKey: ['logs'],
  queryFn: ({ signal }) => api.logs.listLogs({ query: { skip: 0, limit: pageSize } }, { signal }),
  refetchInterval: refreshMs,
});

/** One request whole; until it is there, what the list holds of it. */
export const logQuery = (listed: LogEntry) =>
  queryOptions({
    queryKey: ['logs', listed.id],
    queryFn: ({ signal }) => api.logs.getLog({ params: { id: listed.id } }, { signal }),
    placeholderData: listed,
    staleTime: Number.POSITIVE_INFINITY,
  });
