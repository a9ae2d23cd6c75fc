import { portalRoutes } from '@sluice/contract';
import { queryOptions } from '@tanstack/react-query';
import { createApiClient } from './api.ts';

const calls = createApiClient(portalRoutes);

/** One's own key, `null` when there never was one. */
export const ownApiKeyQuery = queryOptions({
  queryKey: ['own-api-key'],
  queryFn: async ({ signal }) => (await calls.listOwnApiKeys(undefined, { signal })).api_keys[0] ?? null,
});
