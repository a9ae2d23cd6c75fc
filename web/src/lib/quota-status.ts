import { quotaStatusRoutes } from '@sluice/contract';
import { queryOptions } from '@tanstack/react-query';
import { createApiClient } from './api.ts';

const calls = createApiClient(quotaStatusRoutes);
const refreshMs = 10_000;

/** The state of one's own account, read again while it is shown. */
export const quotaStatusQuery = queryOptions({
  queryKey: ['account-status'],
  queryFn: ({ signal }) => calls.getQuotaStatus(undefined, { signal }),
  refetchInterval: refreshMs,
});
