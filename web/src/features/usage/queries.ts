import { portalRoutes } from '@sluice/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { createApiClient } from '../../lib/api.ts';

const calls = createApiClient(portalRoutes);

/** What one used on each of the last days. */
export const dailyUsageQuery = (days: number) =>
  queryOptions({
    queryKey: ['usage', 'daily', days],
    queryFn: ({ signal }) => calls.listUserDailyUsage({ query: { days } }, { signal }),
    placeholderData: keepPreviousData,
  });
