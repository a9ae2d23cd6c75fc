import { portalRoutes, type UserForecast } from '@sluice/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Info } from 'lucide-react';
import { IconButton } from '#components/ui/icon-button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Tip } from '#components/ui/tip.tsx';
import { quotaStatusQuery } from '#lib/account-status.ts';
import { createApiClient } from '#lib/api.ts';
import { dayIn, formatAxisDay, nameDay } from '#lib/format-day.ts';
import { formatShare } from '#lib/format-number.ts';
import { useNow } from '#lib/use-now.ts';

const calls = createApiClient(portalRoutes);

const refreshMs = 60_000;

const forecastQuery = queryOptions({
  queryKey: ['forecast'],
  queryFn: ({ signal }) => calls.getUserForecast(undefined, { signal }),
  refetchInterval: refreshMs,
});

type Forecast = NonNullable<UserForecast['forecast']>;

/** Example: `At this pace you reach your monthly quota on Thursday.` */
export function describeForecast(
  { reaches_on, last_day, used_by_end, limit }: Forecast,
  today: string,
): string {
  return reaches_on === null
    ? `At this pace your monthly quota lasts: about ${formatShare(used_by_end / limit, 0)} of it is used by ${formatAxisDay(last_day)}.`
    : `At this pace you reach your monthly quota ${nameDay(reaches_on, today)}.`;
}

/** Returns `undefined` if the forecast has no range of days. */
export function describeRange({ reaches_on, earliest, latest }: Forecast, today: string): string | undefined {
  if (earliest === null || earliest === latest) return undefined;
  const first = nameDay(earliest, today);
  if (reaches_on === null) return `On busy days you would reach it ${first}.`;
  return latest === null
    ? `At the earliest ${first}; on quiet days it lasts until the month ends.`
    : `At the earliest ${first}, at the latest ${nameDay(latest, today)}.`;
}

/** Names the data behind the forecast and the accuracy of past forecasts. */
export function describeMethod({ learned_days, error }: Forecast): string {
  const off = error === 0 ? 'exact' : `off by ${formatShare(error, 0)} at most`;
  return `Based on your usage in the last ${learned_days} days, with working days and weekends counted separately. The range comes from past one-week forecasts: in four of five cases, they were ${off}. If they were off by more than 50%, no forecast is shown.`;
}

const tooltipPx = 300;

export function ForecastNotice({ timeZone }: { timeZone: string }) {
  const { data } = useQuery(forecastQuery);
  const { data: status } = useQuery(quotaStatusQuery);
  const nowMs = useNow();
  const forecast = data?.forecast;
  if (!forecast || !status || status.warnings.blocked_status !== null) return null;
  const today = dayIn(timeZone, nowMs);
  return (
    <section aria-label="Forecast">
      <Notice
        kind={forecast.reaches_on === null ? 'ok' : 'warn'}
        title={describeForecast(forecast, today)}
        action={
          <Tip label={describeMethod(forecast)} multiline position="bottom-end" w={tooltipPx}>
            <IconButton label="How the forecast is calculated" icon={Info} />
          </Tip>
        }
      >
        {describeRange(forecast, today)}
      </Notice>
    </section>
  );
}
