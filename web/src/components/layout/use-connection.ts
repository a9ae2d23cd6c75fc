import { systemRoutes } from '@sluice/contract';
import { type Query, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Dispatch, type SetStateAction, useEffect, useState } from 'react';
import { createApiClient } from '#lib/api.ts';
import { isNetworkError } from '#lib/describe-failure.ts';
import { retryFailedParts } from '#lib/load-part.ts';

const calls = createApiClient(systemRoutes, { isSessionKept: true });

const askAgainMs = 3000;
const probeKey = 'connection';

type ServerState = 'reachable' | 'unconfirmed' | 'unreachable';

interface Connection {
  /** Whether the last poll got no response. */
  isAway: boolean;
  retry: () => void;
}

/**
 * A request without a response, or a lost network, starts polling. When the server responds again, all queries are
 * refetched.
 */
export function useConnection(): Connection {
  const queryClient = useQueryClient();
  const [serverState, setServerState] = useState(assumeState);
  useOutageSignals(setServerState);

  const { refetch } = useQuery({
    queryKey: [probeKey],
    queryFn: async ({ signal }) => {
      try {
        await calls.getHealth(undefined, { signal });
      } catch (error) {
        if (!signal.aborted) setServerState('unreachable');
        throw error;
      }
      setServerState(assumeState());
      if (serverState !== 'unreachable') return null;
      retryFailedParts();
      void queryClient.invalidateQueries({ predicate: (query) => !isProbe(query) });
      return null;
    },
    enabled: serverState !== 'reachable',
    retry: false,
    gcTime: 0,
    refetchInterval: askAgainMs,
  });

  useEffect(() => {
    const retry = () => void refetch();
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [refetch]);

  return { isAway: serverState === 'unreachable', retry: refetch };
}

/** While the browser is offline, polling continues, because the server may be on the same machine. */
const assumeState = (): ServerState => (navigator.onLine ? 'reachable' : 'unconfirmed');

/** Starts polling when a request gets no response or the network is lost. */
function useOutageSignals(setServerState: Dispatch<SetStateAction<ServerState>>): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const suspect = () => setServerState((known) => (known === 'reachable' ? 'unconfirmed' : known));
    const checkError = (action: { type: string; error?: unknown }) => {
      if (action.type === 'error' && isNetworkError(action.error)) suspect();
    };
    const stops = [
      queryClient.getQueryCache().subscribe((event) => {
        if (event.type === 'updated' && !isProbe(event.query)) checkError(event.action);
      }),
      queryClient.getMutationCache().subscribe((event) => {
        if (event.type === 'updated') checkError(event.action);
      }),
    ];
    window.addEventListener('offline', suspect);
    return () => {
      window.removeEventListener('offline', suspect);
      for (const stop of stops) stop();
    };
  }, [queryClient, setServerState]);
}

const isProbe = ({ queryKey }: Pick<Query, 'queryKey'>) => queryKey[0] === probeKey;
