import { analyticsRoutes, providerAccessRoutes, usersRoutes } from '@sluice/contract';
import { queryOptions } from '@tanstack/react-query';
import { createApiClient } from '../../lib/api.ts';

// Apart from the list's, so that no first load carries the calls of what opens later.
const calls = createApiClient(usersRoutes);
const accessCalls = createApiClient(providerAccessRoutes);
const analyticsCalls = createApiClient(analyticsRoutes);

const standingRefreshMs = 30_000;
const trendDays = 30;

/** Beneath `users`, so that what changes a user reads it anew. */
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

/** The last 30 days of a user's scores. */
export const userTrendQuery = (userId: number) =>
  queryOptions({
    queryKey: ['users', userId, 'trend'],
    queryFn: ({ signal }) =>
      analyticsCalls.getDeviationTimeline({ query: { days: trendDays, user_id: userId } }, { signal }),
  });
