import { systemRoutes } from '@sluice/contract';
import { queryOptions } from '@tanstack/react-query';
import { createApiClient } from './api.ts';

const calls = createApiClient(systemRoutes, { isSessionKept: true });

/** Banners for the user. For operators, also the state of the installation. */
export const systemStatusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: ({ signal }) => calls.getStatus(undefined, { signal }),
  refetchInterval: 60_000,
});
