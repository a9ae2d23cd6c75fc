import { portalRoutes, type QuotaStatus, quotaStatusRoutes } from '@sluice/contract';
import { queryOptions } from '@tanstack/react-query';
import { createApiClient } from './api.ts';

export interface AccountHealth {
  readonly text: 'Blocked' | 'At Risk' | 'Good Standing';
  readonly kind: 'bad' | 'warn' | 'ok';
}

/** Derives the state of an account only from the server's warnings, so that all pages agree. */
export function accountHealthOf({ warnings }: Pick<QuotaStatus, 'warnings'>): AccountHealth {
  if (warnings.blocked_status !== null) return { text: 'Blocked', kind: 'bad' };
  if (warnings.high_deviation_score !== null) return { text: 'At Risk', kind: 'warn' };
  return { text: 'Good Standing', kind: 'ok' };
}

/** Returns the token quota that leaves fewer tokens, for example a monthly one at the end of a month. */
export function tighterQuota({
  tokens_per_day: day,
  tokens_per_month: month,
}: Pick<QuotaStatus['quotas'], 'tokens_per_day' | 'tokens_per_month'>) {
  const leftOf = ({ limit, used }: typeof day) => (limit === null ? Infinity : Math.max(0, limit - used));
  const isMonthly = leftOf(month) < leftOf(day);
  const quota = isMonthly ? month : day;
  return { ...quota, left: leftOf(quota), isMonthly };
}

const calls = createApiClient(quotaStatusRoutes);
const portalCalls = createApiClient(portalRoutes);
const refreshMs = 10_000;
const statsRefreshMs = 30_000;

export const quotaStatusQuery = queryOptions({
  queryKey: ['account-status'],
  queryFn: ({ signal }) => calls.getQuotaStatus(undefined, { signal }),
  refetchInterval: refreshMs,
});

export const userStatsQuery = queryOptions({
  queryKey: ['user-stats'],
  queryFn: ({ signal }) => portalCalls.getUserStats(undefined, { signal }),
  refetchInterval: statsRefreshMs,
});
