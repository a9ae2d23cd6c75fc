import { analyticsRoutes, type KeyOwnerType, type UsageMetric } from '@sluice/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { createApiClient } from '#lib/api.ts';
import type { AnalyticsSearch } from './search.ts';

export interface Period {
  start: string;
  end: string;
  days: number;
}

const daysDefault = 30;
const daysMax = 366;
const dayMs = 24 * 3_600_000;

const toDay = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10);
const addDays = (day: string, days: number): string => toDay(Date.parse(day) + days * dayMs);
const countDays = (start: string, end: string): number => (Date.parse(end) - Date.parse(start)) / dayMs + 1;

export function findPeriod({ days = daysDefault, start, end }: AnalyticsSearch, today: string): Period {
  if (start !== undefined && end !== undefined) return { start, end, days: countDays(start, end) };
  return { start: addDays(today, 1 - days), end: today, days };
}

/** Returns the preceding period of the same length. */
export const findPeriodBefore = ({ start, days }: Period): Period => ({
  start: addDays(start, -days),
  end: addDays(start, -1),
  days,
});

export function findPeriodProblem({ days }: Period): string | null {
  if (days < 1) return 'The end date must not be before the start date';
  return days > daysMax ? `The date range may cover at most ${daysMax} days` : null;
}

const calls = createApiClient(analyticsRoutes);

const refreshMs = 30_000;
const topUsersShown = 5;
const topShown = 10;

/** The filters apply to all charts and are stored in the URL. */
export type UsageFilters = Pick<
  AnalyticsSearch,
  'user' | 'team' | 'task' | 'model' | 'provider' | 'key' | 'label'
>;

export interface Scope {
  readonly period: Period;
  readonly filters: UsageFilters;
}

const toQuery = ({ period, filters }: Scope) => ({
  start_date: period.start,
  end_date: period.end,
  user_id: filters.user,
  team_id: filters.team === undefined ? undefined : [filters.team],
  task_id: filters.task,
  api_key_id: filters.key,
  model: filters.model,
  provider_key: filters.provider,
  label: filters.label,
});

/** Figures of the previous scope remain visible until new figures arrive. */
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

export const topModelsQuery = (scope: Scope, metric: UsageMetric) =>
  queryOptions({
    ...following,
    queryKey: ['analytics', 'top-models', toQuery(scope), metric],
    queryFn: ({ signal }) =>
      calls.listTopModels({ query: { ...toQuery(scope), limit: topShown, metric } }, { signal }),
  });

export const topLabelsQuery = (scope: Scope, name: string, metric: UsageMetric) =>
  queryOptions({
    ...following,
    queryKey: ['analytics', 'top-labels', toQuery(scope), name, metric],
    queryFn: ({ signal }) =>
      calls.listTopLabels(
        { query: { ...toQuery(scope), limit: topShown, metric, label_name: name } },
        { signal },
      ),
  });

export const usedLabelsQuery = (period: Period) =>
  queryOptions({
    ...following,
    queryKey: ['analytics', 'labels', period],
    queryFn: ({ signal }) =>
      calls.listUsedLabels({ query: { start_date: period.start, end_date: period.end } }, { signal }),
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
