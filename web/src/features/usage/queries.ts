import { portalRoutes } from '@sluice/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { createApiClient } from '../../lib/api.ts';

const calls = createApiClient(portalRoutes);

/** The user's usage per day. */
export const dailyUsageQuery = (days: number) =>
  queryOptions({
    queryKey: ['usage', 'daily', days],
    queryFn: ({ signal }) => calls.listUserDailyUsage({ query: { days } }, { signal }),
    placeholderData: keepPreviousData,
  });
