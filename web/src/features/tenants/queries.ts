import { tenantsRoutes } from '@sluice/contract';
import { queryOptions } from '@tanstack/react-query';
import { createApiClient } from '../../lib/api.ts';

const calls = createApiClient(tenantsRoutes);

/** Tenants whose names hold a text, the first of them by name. */
export const tenantsQuery = queryOptions({
  queryKey: ['tenants'],
  queryFn: ({ signal }) => calls.listTenants({ query: { limit: 200 } }, { signal }),
});
