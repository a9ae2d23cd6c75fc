import { ApiError } from '@sluice/contract';
import { QueryClient } from '@tanstack/react-query';

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failureCount, error) => failureCount < 1 && !hasSessionEnded(error),
        refetchOnWindowFocus: false,
      },
    },
  });
}

function hasSessionEnded(error: Error): boolean {
  return error instanceof ApiError && error.status === 401;
}
