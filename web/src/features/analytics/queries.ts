import { analyticsRoutes, type KeyOwnerType, type UsageMetric } from '@sluice/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { createApiClient } from '../../lib/api.ts';
import type { Period } from './period.ts';

const calls = createApiClient(analyticsRoutes);

const refreshMs = 30_000;
const topUsersShown = 5;
const topShown = 10;

/** Period and user that all charts of the page show. */
export interface Scope {
  readonly period: Period;
  readonly userId: number | undefined;
}

const toQuery = ({ period, userId }: Scope) => ({
  start_date: period.start,
  end_date: period.end,
  user_id: userId,
});

/** Figures refresh regularly; those of the previous scope stay visible until the new ones arrive. */
const following = { refetchInterval: refreshMs, placeholderData: keepPreviousData } as const;

export const usageFiguresQuery = (scope: Scope) =>
  queryOptions({
    ...following,
    queryKey: ['analytics', 'usage', toQuery(scope)],
    queryFn: ({ signal }) => calls.getUsageFigures({ query: toQuery(scope) }, { signal }),
  });

export const dailyUsageQuery = (scope: Scope) =>
  queryOptions({
    ...following,
    queryKey: ['analytics', 'daily-usage', toQuery(scope)],
    queryFn: ({ signal }) => calls.listDailyUsage({ query: toQuery(scope) }, { signal }),
  });

export const topUsersQuery = (scope: Scope, metric: UsageMetric) =>
  queryOptions({
    ...following,
    queryKey: ['analytics', 'top-users', toQuery(scope), metric],
    queryFn: ({ signal }) =>
      calls.listTopUsers({ query: { ...toQuery(scope), limit: topUsersShown, metric } }, { signal }),
  });

export const topModelsQuery = (scope: Scope) =>
  queryOptions({
    ...following,
    queryKey: ['analytics', 'top-models', toQuery(scope)],
    queryFn: ({ signal }) =>
      calls.listTopModels({ query: { ...toQuery(scope), limit: topShown } }, { signal }),
  });

export const topApiKeysQuery = (scope: Scope, metric: UsageMetric) =>
  queryOptions({
    ...following,
    queryKey: ['analytics', 'top-api-keys', toQuery(scope), metric],
    queryFn: ({ signal }) =>
      calls.listTopApiKeys({ query: { ...toQuery(scope), limit: topShown, metric } }, { signal }),
  });

export const spendQuery = (scope: Scope) =>
  queryOptions({
    ...following,
    queryKey: ['analytics', 'spend-by-provider', toQuery(scope)],
    queryFn: ({ signal }) => calls.listSpendByProvider({ query: toQuery(scope) }, { signal }),
  });

export const refusalsQuery = (scope: Scope) =>
  queryOptions({
    ...following,
    queryKey: ['analytics', 'refusals', toQuery(scope)],
    queryFn: ({ signal }) => calls.listDailyRefusals({ query: toQuery(scope) }, { signal }),
  });

export const deviationQuery = (scope: Scope, breakdown: KeyOwnerType) =>
  queryOptions({
    ...following,
    queryKey: ['analytics', 'deviation', toQuery(scope), breakdown],
    queryFn: ({ signal }) =>
      calls.getDeviationTimeline({ query: { ...toQuery(scope), breakdown } }, { signal }),
  });
