import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatWithUnit, tabulateSeries } from '#components/charts/chart-data.ts';
import { ChartPanel } from '#components/charts/chart-panel.tsx';
import { TimeChart } from '#components/charts/lazy-charts.tsx';
import { SegmentedSwitch } from '#components/ui/segmented-switch.tsx';
import { cycleColorOf } from '#lib/chart-colors.ts';
import { formatCount, formatTokenTick } from '#lib/format-number.ts';
import { dailyUsageQuery, type Scope } from './queries.ts';
import { RowsLink, rowsOf, useOpenRows } from './rows-link.tsx';
import { timeKinds } from './switches.ts';

interface UsageChartProps {
  scope: Scope;
  type?: 'tokens' | 'users';
}

const types = {
  tokens: {
    heading: 'Token Usage Over Time',
    label: 'Tokens',
    color: cycleColorOf(0),
    formatTick: formatTokenTick,
  },
  users: {
    heading: 'Unique Users Over Time',
    label: 'Users',
    color: cycleColorOf(5),
    formatTick: formatCount,
  },
};

/** Usage or active users per day. */
export function UsageChart({ scope, type = 'tokens' }: UsageChartProps) {
  const { data = [], isPending } = useQuery(dailyUsageQuery(scope));
  const [kind, setKind] = useState<(typeof timeKinds)[number]['value']>('line');
  const openRows = useOpenRows();
  const { heading, label, color, formatTick } = types[type];
  const days = data.map(({ date }) => date);
  const values = data.map(({ tokens, unique_users }) => (type === 'tokens' ? tokens : unique_users));
  const isEmpty = values.every((value) => value === 0);
  const series = [{ label, color, values }];
  const formatValue = formatWithUnit(type);
  const placeOf = (place: number) => {
    const day = days[place] ?? scope.period.start;
    return rowsOf(scope, { start: day, end: day });
  };
  return (
    <ChartPanel
      heading={heading}
      switches={<SegmentedSwitch label="Chart type" options={timeKinds} value={kind} onChange={setKind} />}
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
        onPick={(place) => openRows(placeOf(place))}
      />
    </ChartPanel>
  );
}
