import { systemRoutes } from '@sluice/contract';
import { type Query, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { createApiClient } from '#lib/api.ts';
import { isNetworkError } from '#lib/describe-failure.ts';

const calls = createApiClient(systemRoutes, { isSessionKept: true });

const askAgainMs = 3000;
const probeKey = 'connection';

interface Connection {
  isAway: boolean;
  retry: () => void;
}

/**
 * Whether the server responds. A call without any response starts polling it; when it responds again, all queries are
 * refetched. While the server responds to the poll, a failed call does not count as an outage.
 */
export function useConnection(): Connection {
  const queryClient = useQueryClient();
  const [gateState, setGateState] = useState<'reached' | 'doubted' | 'away'>('reached');

  useEffect(
    () =>
      queryClient.getQueryCache().subscribe(({ type, query, ...event }) => {
        if (type !== 'updated' || isProbe(query) || !('action' in event)) return;
        if (event.action.type === 'error' && isNetworkError(event.action.error))
          setGateState((known) => (known === 'reached' ? 'doubted' : known));
      }),
    [queryClient],
  );

  const { refetch } = useQuery({
    queryKey: [probeKey],
    queryFn: async ({ signal }) => {
      try {
        await calls.getHealth(undefined, { signal });
      } catch (error) {
        if (!signal.aborted) setGateState('away');
        throw error;
      }
      setGateState('reached');
      if (gateState === 'away') void queryClient.invalidateQueries({ predicate: (query) => !isProbe(query) });
      return null;
    },
    enabled: gateState !== 'reached',
    retry: false,
    gcTime: 0,
    refetchInterval: askAgainMs,
  });

  return { isAway: gateState === 'away', retry: refetch };
}

const isProbe = ({ queryKey }: Pick<Query, 'queryKey'>) => queryKey[0] === probeKey;
