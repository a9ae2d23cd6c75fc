import type { DailySpend } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Series, tabulateSeries } from '#components/charts/chart-data.ts';
import { ChartPanel } from '#components/charts/chart-panel.tsx';
import { TimeChart } from '#components/charts/lazy-charts.tsx';
import { useIsNear } from '#components/charts/near-view.tsx';
import { SegmentedSwitch } from '#components/ui/segmented-switch.tsx';
import { cycleColorOf, providerColorOf } from '#lib/chart-colors.ts';
import { formatUsd, formatUsdExact, formatUsdTick } from '#lib/format-money.ts';
import { type Scope, spendQuery } from './queries.ts';
import { RowsLink, rowsOf, useOpenRows } from './rows-link.tsx';
import { spendBreakdowns, spendKinds } from './switches.ts';

const heading = 'Spend by Provider';
const formatDollars = (amount: number) => formatUsdExact(amount, 4);

export function SpendChart({ scope, days }: { scope: Scope; days: readonly string[] }) {
  const { data: spend = [], isPending } = useQuery({ ...spendQuery(scope), enabled: useIsNear() });
  const [breakdown, setBreakdown] = useState<(typeof spendBreakdowns)[number]['value']>('breakdown');
  const [kind, setKind] = useState<(typeof spendKinds)[number]['value']>('line');
  const openRows = useOpenRows();
  const series = spendSeriesOf(spend, days, breakdown);
  const placeOf = (place: number) => {
    const day = days[place] ?? scope.period.start;
    return rowsOf(scope, { start: day, end: day });
  };
  return (
    <ChartPanel
      heading={heading}
      {...(spend.length > 0 && { unit: `${formatDollars(sumOf(spend))} in total` })}
      switches={
        <>
          <SegmentedSwitch
            label="Series"
            options={spendBreakdowns}
            value={breakdown}
            onChange={setBreakdown}
          />
          <SegmentedSwitch label="Chart type" options={spendKinds} value={kind} onChange={setKind} />
        </>
      }
      table={tabulateSeries(spend.length === 0 ? [] : days, series, formatDollars)}
      emptyText="No spend data available"
      isLoading={isPending}
      linkOf={(place, name) => <RowsLink place={placeOf(place)}>{name}</RowsLink>}
    >
      <TimeChart
        label={heading}
        kind={kind}
        days={days}
        series={series}
        formatValue={formatDollars}
        formatTick={formatUsd}
        formatAxis={formatUsdTick}
        onPick={(place) => openRows(placeOf(place))}
      />
    </ChartPanel>
  );
}

const sumOf = (spend: readonly DailySpend[]) => spend.reduce((sum, row) => sum + row.total_spend, 0);

type Breakdown = 'breakdown' | 'provider';

/** Returns one line per payer or provider, highest spend first. */
function spendSeriesOf(
  spend: readonly DailySpend[],
  days: readonly string[],
  breakdown: Breakdown,
): Series[] {
  const byDay = Map.groupBy(spend, ({ date }) => date);
  const sumsOf = (read: (row: DailySpend) => number) =>
    days.map((day) => (byDay.get(day) ?? []).reduce((sum, row) => sum + read(row), 0));
  if (breakdown === 'breakdown')
    return [
      { label: 'Self Managed', color: cycleColorOf(0), values: sumsOf((row) => row.user_llm_spend) },
      { label: 'Sluice Managed', color: cycleColorOf(1), values: sumsOf((row) => row.company_llm_spend) },
    ];
  const providers = [...Map.groupBy(spend, ({ provider_key }) => provider_key).values()];
  const total = (rows: readonly DailySpend[]) => rows.reduce((sum, row) => sum + row.total_spend, 0);
  return providers
    .toSorted((one, other) => total(other) - total(one))
    .flatMap(([first]) => first ?? [])
    .map(({ provider_key: key, provider_name }) => ({
      label: provider_name,
      color: providerColorOf(key),
      values: sumsOf((row) => (row.provider_key === key ? row.total_spend : 0)),
    }));
}
