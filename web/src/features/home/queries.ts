import { systemRoutes } from '@sluice/contract';
import { queryOptions } from '@tanstack/react-query';
import { createApiClient } from '../../lib/api.ts';
import { readOpenapi } from './read-openapi.ts';

const system = createApiClient(systemRoutes);

const unchanging = { staleTime: Number.POSITIVE_INFINITY } as const;

export const openapiQuery = queryOptions({
  ...unchanging,
  queryKey: ['openapi'],
  queryFn: async ({ signal }) => readOpenapi(await system.getOpenapi(undefined, { signal })),
});
