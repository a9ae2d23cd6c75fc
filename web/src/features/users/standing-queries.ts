import { analyticsRoutes, providerAccessRoutes, usersRoutes } from '@sluice/contract';
import { queryOptions } from '@tanstack/react-query';
import { createApiClient } from '#lib/api.ts';

// Separate from the client of the user list, to keep these routes out of the first load.
const calls = createApiClient(usersRoutes);
const accessCalls = createApiClient(providerAccessRoutes);
const analyticsCalls = createApiClient(analyticsRoutes);

const standingRefreshMs = 30_000;
const trendDays = 30;

/** Nested under the key `users`, so that a change of the user refetches the query. */
export const userStandingQuery = (id: number) =>
  queryOptions({
    queryKey: ['users', id, 'standing'],
    queryFn: ({ signal }) => calls.getUserStanding({ params: { id } }, { signal }),
    refetchInterval: standingRefreshMs,
  });

export const permittedModelsQuery = (userId: number) =>
  queryOptions({
    queryKey: ['users', userId, 'permitted-models'],
    queryFn: ({ signal }) => accessCalls.listPermittedModels({ params: { userId } }, { signal }),
  });

export const userDaysQuery = (id: number) =>
  queryOptions({
    queryKey: ['users', id, 'days'],
    queryFn: ({ signal }) =>
      analyticsCalls.listDailyUsage({ query: { days: trendDays, user_id: id } }, { signal }),
  });

export const userTrendQuery = (userId: number) =>
  queryOptions({
    queryKey: ['users', userId, 'trend'],
    queryFn: ({ signal }) =>
      analyticsCalls.getDeviationTimeline({ query: { days: trendDays, user_id: userId } }, { signal }),
  });
