import { ApiError } from '@sluice/contract';
import { QueryClient } from '@tanstack/react-query';

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // A gate on this machine or in the same house answers without the internet, too.
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
