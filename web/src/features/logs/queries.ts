import { governanceRoutes, type LogEntry, logsRoutes } from '@sluice/contract';
import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';
import { readTotalCount, type TotalCount } from '../../components/data-table/total-count.ts';
import { createApiClient } from '../../lib/api.ts';
import { type LogsSearch, toLogsQuery } from './search.ts';

const governanceCalls = createApiClient(governanceRoutes);
const logsCalls = createApiClient(logsRoutes);

const refreshMs = 10_000;

/** One page of requests, newest first, and how many there are in all. The first page follows what comes in. */
export const logsQuery = (search: LogsSearch) => {
  const query = toLogsQuery(search);
  return queryOptions({
    queryKey: ['logs', 'list', query],
    queryFn: async ({ signal }) => {
      const answer: { total: TotalCount | null } = { total: null };
      const onHeaders = (headers: Headers) => {
        answer.total = readTotalCount(headers.get('x-total-count'));
      };
      const logs = await logsCalls.listLogs({ query }, { signal, onHeaders });
      return { ...answer, logs, question: JSON.stringify(query) };
    },
    placeholderData: keepPreviousData,
    refetchInterval: query.skip === 0 ? refreshMs : false,
  });
};

/** One request whole; until it is there, what the list holds of it. */
export const logQuery = (id: string, listed: LogEntry | undefined) =>
  queryOptions({
    queryKey: ['logs', 'one', id],
    queryFn: ({ signal }) => logsCalls.getLog({ params: { id } }, { signal }),
    placeholderData: listed,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Which words of a prompt spoke for its intent. */
export const explanationQuery = ({ id, prompt, intent_classification: intent }: LogEntry) =>
  queryOptions({
    queryKey: ['logs', 'explanation', id],
    queryFn: ({ signal }) => governanceCalls.explainLog({ params: { id } }, { signal }),
    enabled: intent !== null && Boolean(prompt?.trim()),
    staleTime: Number.POSITIVE_INFINITY,
  });

type Correction = Parameters<typeof governanceCalls.correctIntent>[0];

export const useCorrectIntent = () =>
  useMutation({ mutationFn: (correction: Correction) => governanceCalls.correctIntent(correction) });
