import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

/** Tenants whose names hold a text, the first of them by name. */
export const tenantsQuery = queryOptions({
  queryKey: ['tenants'],
  queryFn: ({ signal }) => api.tenants.listTenants({ query: { limit: 200 } }, { signal }),
});
