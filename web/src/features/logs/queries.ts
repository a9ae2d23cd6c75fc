import { governanceRoutes, type LogEntry, logsOf, logsRoutes } from '@sluice/contract';
import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';
import { readPageTotal, type TotalCount } from '#components/data-table/pager.tsx';
import type { ServerExport } from '#components/data-table/server-export.ts';
import { toPageQuery } from '#components/data-table/table-search.ts';
import { createApiClient } from '#lib/api.ts';
import { findLineProblem, lineOf } from './query-line.ts';
import { hasLogFilters, type LogsSearch, logsPageSize } from './search.ts';

export function toLogsQuery(search: LogsSearch) {
  return { ...toLogFilters(search), ...toPageQuery(search, logsPageSize) };
}

/** Dates are included only as an ordered pair, the query line only if it has no errors. */
function toLogFilters(search: LogsSearch) {
  const { user, task, team, model, status, start, end, intent, provider, reason, label, key, apiKey } =
    search;
  const days = start && end && start <= end ? { start_date: start, end_date: end } : {};
  const line = lineOf(search);
  return {
    user_id: user,
    task_id: task,
    team_id: team === undefined ? undefined : [team],
    api_key_id: apiKey,
    model,
    status,
    intent_classification: intent,
    provider_key: provider,
    error_code: reason,
    label,
    by_api_key: key === undefined ? undefined : (`${key}` as const),
    ...days,
    ...(line === '' || findLineProblem(search) !== null ? {} : { query: line }),
  };
}

const governanceCalls = createApiClient(governanceRoutes);
const logsCalls = createApiClient(logsRoutes);

/** Refresh modes of the first page. */
export const logPaces = ['usual', 'live', 'paused'] as const;

export type LogPace = (typeof logPaces)[number];

const refreshMs = { usual: 10_000, live: 2_000, paused: false } as const satisfies Record<
  LogPace,
  number | false
>;

export const logsQuery = (search: LogsSearch, pace: LogPace = 'usual') => {
  const query = toLogsQuery(search);
  return queryOptions({
    queryKey: ['logs', 'list', query],
    queryFn: async ({ signal }) => {
      const answer: { total: TotalCount | null } = { total: null };
      const onHeaders = (headers: Headers) => {
        answer.total = readPageTotal(headers, search, logsPageSize);
      };
      const logs = logsOf(await logsCalls.listLogs({ query }, { signal, onHeaders }));
      return { ...answer, logs, question: JSON.stringify(query) };
    },
    placeholderData: keepPreviousData,
    refetchInterval: search.page === undefined ? refreshMs[pace] : false,
  });
};

/** The list entry is shown until the details are loaded. */
export const logQuery = (id: string, listed: LogEntry | undefined) =>
  queryOptions({
    queryKey: ['logs', 'one', id],
    queryFn: ({ signal }) => logsCalls.getLog({ params: { id } }, { signal }),
    placeholderData: listed,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const logBodyQuery = (id: string) =>
  queryOptions({
    queryKey: ['logs', 'body', id],
    queryFn: ({ signal }) => logsCalls.getLogBody({ params: { id } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The weights of the words are for the classified intent. */
export const explanationQuery = ({ id, prompt, intent_classification: intent }: LogEntry) =>
  queryOptions({
    queryKey: ['logs', 'explanation', id],
    queryFn: ({ signal }) => governanceCalls.explainLog({ params: { id } }, { signal }),
    enabled: intent !== null && Boolean(prompt?.trim()),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Share of the time between two readings of the totals, so that large logs are summed less often. */
const totalsTimeShare = 1 / 30;

/** Refreshed like the rows, but at most every 10 seconds. */
export const totalsQuery = (search: LogsSearch, pace: LogPace) => {
  const query = toLogFilters(search);
  return queryOptions({
    queryKey: ['logs', 'totals', query],
    queryFn: async ({ signal }) => {
      const beganAtMs = performance.now();
      const totals = await logsCalls.getLogTotals({ query }, { signal });
      return { ...totals, durationMs: performance.now() - beganAtMs };
    },
    refetchInterval: ({ state: { data } }) =>
      pace !== 'paused' && Math.max(refreshMs.usual, (data?.durationMs ?? 0) / totalsTimeShare),
    retry: false,
  });
};

/** Counts the newest filtered requests only. */
export const facetsQuery = (search: LogsSearch) => {
  const query = toLogFilters(search);
  return queryOptions({
    queryKey: ['logs', 'facets', query],
    queryFn: ({ signal }) => logsCalls.getLogFacets({ query }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });
};

export function logsExport(search: LogsSearch): ServerExport {
  const query = toLogFilters(search);
  return {
    title: 'logs',
    noun: 'request',
    whole: 'in the log',
    isNarrowed: hasLogFilters(search),
    note: 'Prompts and responses are complete; times are in UTC.',
    countKey: ['logs', query],
    countRows: (signal) => logsCalls.countLogs({ query }, { signal }),
    fetchFile: (format, options) => logsCalls.exportLogs({ query: { ...query, format } }, options),
  };
}

type Correction = Parameters<typeof governanceCalls.correctIntent>[0];

export const useCorrectIntent = () =>
  useMutation({ mutationFn: (correction: Correction) => governanceCalls.correctIntent(correction) });
