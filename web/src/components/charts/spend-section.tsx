import type { Spend } from '@sluice/contract';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { cycleColorOf } from '#lib/chart-colors.ts';
import { type DayRange, findMonths } from '#lib/format-day.ts';
import { formatUsd, formatUsdTick } from '#lib/format-money.ts';
import type { LogsPlace } from '#lib/logs-place.ts';
import { StatStrip } from '../ui/stat-strip.tsx';
import { tabulateSeries } from './chart-data.ts';
import { ChartPanel } from './chart-panel.tsx';
import { TimeChart } from './lazy-charts.tsx';
import styles from './spend-section.module.css';

interface SpendSectionProps {
  /** Name of the user, team or task, for example `Ada Lovelace`. */
  name: string;
  spend: Spend;
  days: readonly { date: string; cost_usd: number }[] | undefined;
  /** Log filters that select the requests behind the figures; absent if the viewer may not see the requests. */
  place?: LogsPlace;
}

const heightPx = 132;

export function SpendSection({ name, spend, days, place }: SpendSectionProps) {
  const id = useId();
  const dates = days?.map(({ date }) => date) ?? [];
  const values = days?.map(({ cost_usd }) => cost_usd) ?? [];
  const isEmpty = values.every((value) => value === 0);
  const series = [{ label: 'Cost', color: cycleColorOf(0), values }];
  const today = dates.at(-1);
  const months = today === undefined ? undefined : findMonths(today);
  const figure = (amount: number, range: DayRange | undefined) =>
    place && range ? (
      <Link to="/admin/logs" search={{ ...place, ...range, status: 'admitted' }}>
        {formatUsd(amount)}
      </Link>
    ) : (
      formatUsd(amount)
    );
  return (
    <section aria-labelledby={id} className={styles.section}>
      <h3 id={id}>Cost</h3>
      <StatStrip
        label={`Cost of ${name}`}
        stats={[
          { label: 'Today', value: figure(spend.spend_usd_today, months?.today) },
          { label: 'This month', value: figure(spend.spend_usd_month, months?.thisMonth) },
          { label: 'Last month', value: figure(spend.spend_usd_last_month, months?.lastMonth) },
        ]}
      />
      <ChartPanel
        heading="Cost per day"
        unit="30 days"
        table={tabulateSeries(isEmpty ? [] : dates, series, formatUsd)}
        emptyText="No cost in the last 30 days"
        isLoading={days === undefined}
        height={heightPx}
      >
        <TimeChart
          label={`Cost of ${name} per day`}
          kind="bar"
          days={dates}
          series={series}
          formatValue={formatUsd}
          formatTick={formatUsd}
          formatAxis={formatUsdTick}
        />
      </ChartPanel>
    </section>
  );
}
