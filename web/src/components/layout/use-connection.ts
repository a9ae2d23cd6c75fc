import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../lib/api.ts';
import { isNetworkError } from '../../lib/network-error.ts';

const askAgainMs = 3000;
const probeKey = 'connection';

interface Connection {
  isAway: boolean;
  retry: () => void;
}

/** Whether the gate answers. Noticed by calls that get no answer at all; then asked until it does, and all is read anew. */
export function useConnection(): Connection {
  const queryClient = useQueryClient();
  const [isAway, setAway] = useState(false);

  useEffect(
    () =>
      queryClient.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return;
        if (isNetworkError(event.action.error)) setAway(true);
      }),
    [queryClient],
  );

  const { refetch } = useQuery({
    queryKey: [probeKey],
    queryFn: async ({ signal }) => {
      await api.system.getHealth(undefined, { signal });
      setAway(false);
      void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== probeKey });
      return null;
    },
    enabled: isAway,
    retry: false,
    gcTime: 0,
    refetchInterval: askAgainMs,
  });

  return { isAway, retry: refetch };
}
