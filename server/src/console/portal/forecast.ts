import type { UserForecast } from '@sluice/contract';
import { listDays, readRange } from '#console/analytics/range.ts';
import { getQuotaStatus } from '#console/quota-status/get.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { findWindow } from '#domain/allowance/window.ts';
import { forecastMonthlyQuota, type UsedDay } from '#domain/forecast/monthly-quota.ts';
import type { Principal } from '#domain/principal.ts';
import { selectOwnDays } from './store.ts';

/**
 * Number of days to read: today, 28 days on which earlier one-week forecasts start, the last of these weeks, and 28
 * days of training data before them.
 */
const readDays = 1 + 28 + 7 + 28;

export async function getUserForecast(tx: TenantTransaction, author: Principal): Promise<UserForecast> {
  const { tokens_per_month: quota } = (await getQuotaStatus(tx, author)).quotas;
  const { limit, used } = quota;
  if (limit === null) return { forecast: null, hidden_because: 'no_quota' };
  const range = await readRange(tx, author.tenantId, { days: readDays });
  const tokens = new Map((await selectOwnDays(tx, author, range)).map((row) => [row.date, row.tokens]));
  const { timeZone } = range;
  const days = listDays(range).map((date) => ({ date, tokens: tokens.get(date) }));
  const usedDays = days.map(({ date, tokens }) => ({ date, tokens: tokens ?? 0 }));
  const first = days.findIndex(({ tokens }) => tokens !== undefined);
  const today = usedDays.at(-1);
  if (first < 0 || !today) return { forecast: null, hidden_because: 'too_few_days' };
  const lastDay = lastDayBefore(quota.resets_at, timeZone);
  const past: UsedDay[] = usedDays.slice(first, -1);
  const restOfToday = findRestOfDay(Date.now(), timeZone);
  const forecast = forecastMonthlyQuota({ past, today, restOfToday, used, limit, lastDay });
  if (typeof forecast === 'string') return { forecast: null, hidden_because: forecast };
  return {
    forecast: {
      used,
      limit,
      reaches_on: forecast.reachesOn,
      earliest: forecast.earliest,
      latest: forecast.latest,
      last_day: lastDay,
      used_by_end: forecast.usedByEnd,
      error: forecast.error,
      learned_days: forecast.learnedDays,
    },
    hidden_because: null,
  };
}

/** Returns a value from 0 to 1. */
function findRestOfDay(nowMs: number, timeZone: string): number {
  const { startMs, endMs } = findWindow('tokens_per_day', nowMs, timeZone);
  return (endMs - nowMs) / (endMs - startMs);
}

function lastDayBefore(instant: string, timeZone: string): string {
  return Temporal.Instant.from(instant)
    .subtract({ milliseconds: 1 })
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .toString();
}
