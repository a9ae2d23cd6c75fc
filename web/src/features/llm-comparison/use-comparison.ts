import { ApiError, type Comparison, type ComparisonResult, comparisonTimeoutMs } from '@sluice/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { comparisonKey, comparisons, useRefreshComparisons } from './queries.ts';

const pollMs = 2_000;
const pollRetries = 3;
const firstRetryMs = 5_000;
const longestRetryMs = 30_000;

/** Polls a comparison until every model has finished, for at most five minutes. */
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
    // A page without results reports a failure sooner than one that already shows some.
    retry: (failures, error) =>
      !isFinal(error) && failures < (queryClient.getQueryData(comparisonKey(id)) ? pollRetries : 1),
    retryDelay: (failures) => Math.min(firstRetryMs * 2 ** failures, longestRetryMs),
  });
  const isEnded = answer.data !== undefined && hasEnded(answer.data);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the figures change when the comparison ends, not when the function changes
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

/** Returns true for finished results and for pending ones with an error. */
export const hasResultEnded = ({ status, error_message }: ComparisonResult) =>
  status !== 'pending' || error_message !== null;
