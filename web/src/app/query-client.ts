import { ApiError } from '@sluice/contract';
import { QueryClient } from '@tanstack/react-query';

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // A server on this machine or in the local network is reachable without the internet.
        networkMode: 'always',
        retry: (failureCount, error) => failureCount < 1 && !hasSessionEnded(error),
        refetchOnWindowFocus: false,
      },
      mutations: { networkMode: 'always' },
    },
  });
}

function hasSessionEnded(error: Error): boolean {
  return error instanceof ApiError && error.status === 401;
}
