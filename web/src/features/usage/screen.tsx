import { useDocumentTitle } from '@mantine/hooks';
import { portalRoutes, type UserDailyUsage } from '@sluice/contract';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { formatWithUnit, tabulateSeries } from '#components/charts/chart-data.ts';
import { ChartPanel } from '#components/charts/chart-panel.tsx';
import { TimeChart } from '#components/charts/lazy-charts.tsx';
import { Failure, Notice } from '#components/ui/notice.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { SegmentedSwitch } from '#components/ui/segmented-switch.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { StatStrip } from '#components/ui/stat-strip.tsx';
import { OwnBudgets } from '#features/budgets/index.ts';
import { CostAndRemaining, ForecastNotice } from '#features/forecast/index.ts';
import { accountHealthOf, quotaStatusQuery } from '#lib/account-status.ts';
import { createApiClient } from '#lib/api.ts';
import { cycleColorOf } from '#lib/chart-colors.ts';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatTitleDay } from '#lib/format-day.ts';
import { formatUsd, formatUsdTick } from '#lib/format-money.ts';
import { formatCount, formatTokenTick } from '#lib/format-number.ts';
import styles from './screen.module.css';
import { usageDays } from './search.ts';

const calls = createApiClient(portalRoutes);

const dailyUsageQuery = (days: number) =>
  queryOptions({
    queryKey: ['usage', 'daily', days],
    queryFn: ({ signal }) => calls.listUserDailyUsage({ query: { days } }, { signal }),
    placeholderData: keepPreviousData,
  });

const explanations = {
  Blocked: 'New requests are refused. The dashboard shows the reason, and you can appeal there.',
  'At Risk': 'Your deviation score is high. Prompts for your task lower it, other prompts raise it.',
  'Good Standing': 'Your account has no restrictions.',
} as const;

function AccountHealthPanel() {
  const { data: status } = useQuery(quotaStatusQuery);
  if (!status) return <SkeletonLines count={2} />;
  const { text, kind } = accountHealthOf(status);
  return (
    <section aria-label="Account health">
      <Notice kind={kind} title={text}>
        {explanations[text]}
      </Notice>
    </section>
  );
}

const daysByDefault = 30;
const metrics = [
  { value: 'tokens', label: 'Tokens' },
  { value: 'requests', label: 'Requests' },
  { value: 'cost', label: 'Cost' },
] as const;

const measures = {
  tokens: {
    label: 'Tokens',
    read: ({ tokens }: UserDailyUsage) => tokens,
    value: formatWithUnit('tokens'),
    tick: formatTokenTick,
    axis: formatTokenTick,
  },
  requests: {
    label: 'Requests',
    read: ({ requests }: UserDailyUsage) => requests,
    value: formatWithUnit('requests'),
    tick: formatCount,
    axis: formatCount,
  },
  cost: {
    label: 'Cost',
    read: ({ cost_usd }: UserDailyUsage) => cost_usd,
    value: formatUsd,
    tick: formatUsd,
    axis: formatUsdTick,
  },
};

/** Usage page. `timeZone` is the organization's time zone. */
export function UsageScreen({ timeZone }: { timeZone: string }) {
  useDocumentTitle('Usage · Sluice');
  const { days = daysByDefault } = useSearch({ from: '/signed-in/dashboard/usage' });
  const navigate = useNavigate({ from: '/dashboard/usage' });
  const answer = useQuery(dailyUsageQuery(days));
  const failure = describeFailure(answer, 'Your usage could not be loaded');
  return (
    <>
      <PageHeader
        title="Usage"
        subtitle={`Your usage per day, in the time zone of your organization (${timeZone})`}
        actions={
          <SegmentedSwitch
            label="Days shown"
            options={usageDays.map((count) => ({ value: String(count), label: `${count} days` }))}
            value={String(days)}
            onChange={(chosen) =>
              void navigate({
                search: { days: usageDays.find((count) => String(count) === chosen) },
                replace: true,
              })
            }
          />
        }
      />
      <div className={styles.parts}>
        <AccountHealthPanel />
        <ForecastNotice timeZone={timeZone} />
        <OwnBudgets />
        {failure ? (
          <Failure {...failure} />
        ) : (
          <>
            <CostAndRemaining />
            <TrendChart days={days} />
            <TokenStatistics usage={answer.data} />
          </>
        )}
      </div>
    </>
  );
}

function TrendChart({ days: count }: { days: number }) {
  const { data = [], isPending } = useQuery(dailyUsageQuery(count));
  const [metric, setMetric] = useState<(typeof metrics)[number]['value']>('tokens');
  const days = data.map(({ date }) => date);
  const { label, read, value: formatValue, tick: formatTick, axis: formatAxis } = measures[metric];
  const values = data.map(read);
  const isEmpty = values.every((value) => value === 0);
  const series = [{ label, color: cycleColorOf(metric === 'tokens' ? 0 : 5), values }];
  return (
    <ChartPanel
      heading="Token Usage Trend"
      switches={<SegmentedSwitch label="Shown" options={metrics} value={metric} onChange={setMetric} />}
      table={tabulateSeries(isEmpty ? [] : days, series, formatValue)}
      emptyText="No usage in this period. Requests appear here about a second after they are sent."
      emptyAction={<Link to="/dashboard/api-keys">Show an example request</Link>}
      isLoading={isPending}
    >
      <TimeChart
        label="Token Usage Trend"
        kind="line"
        days={days}
        series={series}
        formatValue={formatValue}
        formatTick={formatTick}
        formatAxis={formatAxis}
      />
    </ChartPanel>
  );
}

function TokenStatistics({ usage }: { usage: readonly UserDailyUsage[] | undefined }) {
  const tokens = usage?.reduce((sum, day) => sum + day.tokens, 0);
  const requests = usage?.reduce((sum, day) => sum + day.requests, 0);
  const cost = usage?.reduce((sum, day) => sum + day.cost_usd, 0);
  const peak = usage?.reduce((most, day) => (day.tokens > most.tokens ? day : most), { date: '', tokens: 0 });
  return (
    <StatStrip
      label="Token statistics"
      stats={[
        { label: 'Tokens', value: tokens === undefined ? undefined : formatCount(tokens) },
        {
          label: 'Average per day',
          value: usage && tokens !== undefined ? formatCount(Math.round(tokens / usage.length)) : undefined,
        },
        {
          label: 'Highest day',
          value: peak && formatCount(peak.tokens),
          note: peak?.date ? formatTitleDay(peak.date) : 'None yet',
        },
        { label: 'Requests', value: requests === undefined ? undefined : formatCount(requests) },
        {
          label: 'Cost',
          value: cost === undefined ? undefined : formatUsd(cost),
          note: usage && cost !== undefined && `${formatUsd(cost / usage.length)} per day`,
        },
      ]}
    />
  );
}
