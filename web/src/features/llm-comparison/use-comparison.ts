import { ApiError, type Comparison, type ComparisonResult, comparisonTimeoutMs } from '@sluice/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { comparisonKey, comparisons, useRefreshComparisons } from './queries.ts';

const pollMs = 2_000;
const pollRetries = 3;
const firstRetryMs = 5_000;
const longestRetryMs = 30_000;

/** One comparison, asked for again until each model has ended, for five minutes at most. */
export function useComparison(id: string) {
  const queryClient = useQueryClient();
  const refresh = useRefreshComparisons();
  const [startedMs, setStartedMs] = useState(() => Date.now());
  const answer = useQuery({
    queryKey: comparisonKey(id),
    queryFn: ({ signal }) => comparisons.getComparison({ params: { id } }, { signal }),
    refetchInterval: ({ state }) => {
      const isOver = state.data === undefined || state.status === 'error' || hasEnded(state.data);
      return isOver || Date.now() - startedMs > comparisonTimeoutMs ? false : pollMs;
    },
    // A page that shows nothing yet says so sooner than one whose results may go on.
    retry: (failures, error) =>
      !isFinal(error) && failures < (queryClient.getQueryData(comparisonKey(id)) ? pollRetries : 1),
    retryDelay: (failures) => Math.min(firstRetryMs * 2 ** failures, longestRetryMs),
  });
  const isEnded = answer.data !== undefined && hasEnded(answer.data);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the figures change when it ends, and not with the function
  useEffect(() => {
    if (isEnded) refresh();
  }, [isEnded]);
  const isGivenUp = !isEnded && answer.dataUpdatedAt - startedMs > comparisonTimeoutMs - pollMs;
  const goOn = () => {
    setStartedMs(Date.now());
    void answer.refetch();
  };
  return { answer, isEnded, isGivenUp, goOn };
}

const isFinal = (error: Error) => error instanceof ApiError && error.status < 500;

export const hasEnded = ({ results }: Comparison) => results.every(hasResultEnded);

/** Also one that waits and yet tells of an error. */
export const hasResultEnded = ({ status, error_message }: ComparisonResult) =>
  status !== 'pending' || error_message !== null;
