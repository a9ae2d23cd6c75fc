import { portalRoutes } from '@sluice/contract';
import { queryOptions } from '@tanstack/react-query';
import { createApiClient } from '../../lib/api.ts';

const calls = createApiClient(portalRoutes);

const refreshMs = 60_000;

/** Forecast for the user's monthly quota. */
export const forecastQuery = queryOptions({
  queryKey: ['forecast'],
  queryFn: ({ signal }) => calls.getUserForecast(undefined, { signal }),
  refetchInterval: refreshMs,
});
