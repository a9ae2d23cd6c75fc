import type { DailyUsage } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatWithUnit, tabulateSeries } from '#components/charts/chart-data.ts';
import { ChartPanel } from '#components/charts/chart-panel.tsx';
import { TimeChart } from '#components/charts/lazy-charts.tsx';
import { SegmentedSwitch } from '#components/ui/segmented-switch.tsx';
import { cycleColorOf } from '#lib/chart-colors.ts';
import { formatCount } from '#lib/format-number.ts';
import { dailyUsageQuery, type Scope } from './queries.ts';
import { RowsLink, rowsOf, useOpenRows } from './rows-link.tsx';
import { metricFormats, timeKinds, usageMeasures, userMeasures } from './switches.ts';

interface UsageChartProps {
  scope: Scope;
  type?: 'tokens' | 'users';
}

const charts = {
  tokens: { heading: 'Token Usage Over Time', color: cycleColorOf(0), measures: usageMeasures },
  users: { heading: 'Unique Users Over Time', color: cycleColorOf(5), measures: userMeasures },
};

const measures = {
  tokens: { label: 'Tokens', ...metricFormats.tokens, read: ({ tokens }: DailyUsage) => tokens },
  requests: { label: 'Requests', ...metricFormats.requests, read: ({ requests }: DailyUsage) => requests },
  cost: { label: 'Cost', ...metricFormats.cost, read: ({ cost_usd }: DailyUsage) => cost_usd },
  users: {
    label: 'Users',
    value: formatWithUnit('users'),
    tick: formatCount,
    axis: formatCount,
    read: ({ unique_users }: DailyUsage) => unique_users,
  },
  costPerUser: {
    label: 'Cost per user',
    ...metricFormats.cost,
    read: ({ cost_usd, unique_users }: DailyUsage) => (unique_users === 0 ? 0 : cost_usd / unique_users),
  },
};

export function UsageChart({ scope, type = 'tokens' }: UsageChartProps) {
  const { data = [], isPending } = useQuery(dailyUsageQuery(scope));
  const [kind, setKind] = useState<(typeof timeKinds)[number]['value']>('line');
  const [chosen, setChosen] = useState<keyof typeof measures>(type);
  const openRows = useOpenRows();
  const { heading, color } = charts[type];
  const { label, read, value: formatValue, tick: formatTick, axis: formatAxis } = measures[chosen];
  const days = data.map(({ date }) => date);
  const values = data.map(read);
  const isEmpty = values.every((value) => value === 0);
  const series = [{ label, color, values }];
  const placeOf = (place: number) => {
    const day = days[place] ?? scope.period.start;
    return rowsOf(scope, { start: day, end: day });
  };
  return (
    <ChartPanel
      heading={heading}
      switches={
        <>
          <SegmentedSwitch<keyof typeof measures>
            label="Measure"
            options={charts[type].measures}
            value={chosen}
            onChange={setChosen}
          />
          <SegmentedSwitch label="Chart type" options={timeKinds} value={kind} onChange={setKind} />
        </>
      }
      table={tabulateSeries(isEmpty ? [] : days, series, formatValue)}
      emptyText="No data available for the selected period"
      isLoading={isPending}
      linkOf={(place, name) => <RowsLink place={placeOf(place)}>{name}</RowsLink>}
    >
      <TimeChart
        label={heading}
        kind={kind}
        days={days}
        series={series}
        formatValue={formatValue}
        formatTick={formatTick}
        formatAxis={formatAxis}
        onPick={(place) => openRows(placeOf(place))}
      />
    </ChartPanel>
  );
}
