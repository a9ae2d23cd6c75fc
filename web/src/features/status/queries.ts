import { systemRoutes } from '@sluice/contract';
import { queryOptions } from '@tanstack/react-query';
import { createApiClient } from '../../lib/api.ts';

const calls = createApiClient(systemRoutes);

/** A node says how it does every 10 seconds. */
const readAgainMs = 10_000;

/** How the installation does; the banners of every page are read apart, and seldom. */
export const operationQuery = queryOptions({
  queryKey: ['status', 'operation'],
  queryFn: async ({ signal }) => {
    const { version, operation } = await calls.getStatus(undefined, { signal });
    return { version, operation };
  },
  refetchInterval: readAgainMs,
});
