import { systemRoutes } from '@sluice/contract';
import { type Query, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Dispatch, type SetStateAction, useEffect, useState } from 'react';
import { createApiClient } from '#lib/api.ts';
import { isNetworkError } from '#lib/describe-failure.ts';

const calls = createApiClient(systemRoutes, { isSessionKept: true });

const askAgainMs = 3000;
const probeKey = 'connection';

type GateState = 'reached' | 'doubted' | 'away';

interface Connection {
  /** Whether the last poll got no response. */
  isAway: boolean;
  retry: () => void;
}

/**
 * Whether the server responds. A call without any response, or a lost network, starts polling it; when it responds again, all queries are
 * refetched. While the server responds to the poll, a failed call does not count as an outage.
 */
export function useConnection(): Connection {
  const queryClient = useQueryClient();
  const [gateState, setGateState] = useState<GateState>('reached');
  useDoubts(setGateState);

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

  useEffect(() => {
    const retry = () => void refetch();
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [refetch]);

  return { isAway: gateState === 'away', retry: refetch };
}

/** Doubts a reached server when a call gets no response or the network is lost. */
function useDoubts(setGateState: Dispatch<SetStateAction<GateState>>): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const doubt = () => setGateState((known) => (known === 'reached' ? 'doubted' : known));
    const doubtOn = (action: { type: string; error?: unknown }) => {
      if (action.type === 'error' && isNetworkError(action.error)) doubt();
    };
    const stops = [
      queryClient.getQueryCache().subscribe((event) => {
        if (event.type === 'updated' && !isProbe(event.query)) doubtOn(event.action);
      }),
      queryClient.getMutationCache().subscribe((event) => {
        if (event.type === 'updated') doubtOn(event.action);
      }),
    ];
    window.addEventListener('offline', doubt);
    return () => {
      window.removeEventListener('offline', doubt);
      for (const stop of stops) stop();
    };
  }, [queryClient, setGateState]);
}

const isProbe = ({ queryKey }: Pick<Query, 'queryKey'>) => queryKey[0] === probeKey;
