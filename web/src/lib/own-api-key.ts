import { portalRoutes } from '@sluice/contract';
import { queryOptions } from '@tanstack/react-query';
import { createApiClient } from './api.ts';

const calls = createApiClient(portalRoutes);

/** The key is `null` if the user never had one. */
export const ownApiKeyQuery = queryOptions({
  queryKey: ['own-api-key'],
  queryFn: async ({ signal }) => {
    const { api_keys, may_regenerate: mayRegenerate } = await calls.listOwnApiKeys(undefined, { signal });
    return { apiKey: api_keys[0] ?? null, mayRegenerate };
  },
});
