import type { DailyRefusals } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Item, type Series, tabulateItems, tabulateSeries } from '#components/charts/chart-data.ts';
import { ChartPanel } from '#components/charts/chart-panel.tsx';
import { CategoryBars, TimeChart } from '#components/charts/lazy-charts.tsx';
import { useIsNear } from '#components/charts/near-view.tsx';
import { SegmentedSwitch } from '#components/ui/segmented-switch.tsx';
import { entityColorsOf } from '#lib/chart-colors.ts';
import { formatLabel } from '#lib/format-label.ts';
import { formatCount, formatQuantity } from '#lib/format-number.ts';
import type { LogsPlace } from '#lib/logs-place.ts';
import { refusalsQuery, type Scope } from './queries.ts';
import { RowsLink, rowsOf, useOpenRows } from './rows-link.tsx';
import { refusalViews } from './switches.ts';

/** `rows` counts log rows, `count` counts refusals, because one row can represent several. */
export interface Reason {
  reason: string;
  count: number;
  rows: number;
}

const sumOf = (refusals: readonly DailyRefusals[], name: 'count' | 'rows') =>
  refusals.reduce((sum, row) => sum + row[name], 0);

export function reasonsOf(refusals: readonly DailyRefusals[]): Reason[] {
  return [...Map.groupBy(refusals, ({ reason }) => reason)]
    .map(([reason, days]) => ({ reason, count: sumOf(days, 'count'), rows: sumOf(days, 'rows') }))
    .toSorted((one, other) => other.count - one.count || one.reason.localeCompare(other.reason));
}

const toReasonItem = ({ reason, count, rows }: Reason, color: string): Item => ({
  label: formatLabel(reason),
  value: count,
  color,
  details: [
    ['Refused', formatCount(count)],
    ['Log entries', formatCount(rows)],
  ],
});

const shownMax = 6;

/** Returns one series per reason. Beyond six reasons, the rarest are combined. */
export function refusalSeriesOf(
  refusals: readonly DailyRefusals[],
  days: readonly string[],
  colorOf: (reason: string) => string,
): Series[] {
  const reasons = reasonsOf(refusals).map(({ reason }) => reason);
  const shown = reasons.slice(0, reasons.length > shownMax ? shownMax - 1 : shownMax);
  const byDay = Map.groupBy(refusals, ({ date }) => date);
  const countsOf = (isMeant: (reason: string) => boolean) =>
    days.map((day) =>
      sumOf(
        (byDay.get(day) ?? []).filter(({ reason }) => isMeant(reason)),
        'count',
      ),
    );
  const series = shown.map((reason) => ({
    label: formatLabel(reason),
    color: colorOf(reason),
    values: countsOf((other) => other === reason),
  }));
  if (shown.length === reasons.length) return series;
  const label = formatQuantity(reasons.length - shown.length, 'other reason');
  const values = countsOf((reason) => !shown.includes(reason));
  return [...series, { label, color: 'var(--provider-other)', values }];
}

const heading = 'Refused Requests by Reason';
const labelLimit = 24;
const nameOf = ({ reason }: Reason) => reason;

export function RefusalsChart({ scope, days }: { scope: Scope; days: readonly string[] }) {
  const { data: refusals = [], isPending } = useQuery({ ...refusalsQuery(scope), enabled: useIsNear() });
  const [view, setView] = useState<(typeof refusalViews)[number]['value']>('reason');
  const openRows = useOpenRows();
  const reasons = reasonsOf(refusals);
  const colorOf = entityColorsOf('reason', reasons.map(nameOf));
  const items = reasons.map((row) => toReasonItem(row, colorOf(row.reason)));
  const series = refusalSeriesOf(refusals, days, colorOf);
  const total = sumCounts(reasons);
  const refused = (part: LogsPlace = {}) => rowsOf(scope, { status: 'refused', ...part });
  const placeOf = (place: number) => {
    if (view === 'reason') return refused({ reason: reasons[place]?.reason ?? '' });
    const day = days[place] ?? scope.period.start;
    return refused({ start: day, end: day });
  };
  return (
    <ChartPanel
      heading={heading}
      switches={<SegmentedSwitch label="View" options={refusalViews} value={view} onChange={setView} />}
      table={
        view === 'reason'
          ? tabulateItems(items, { label: 'Reason', value: 'Refused' })
          : tabulateSeries(refusals.length === 0 ? [] : days, series, formatCount)
      }
      emptyText="No requests were refused in the selected period"
      isLoading={isPending}
      linkOf={(place, name) => <RowsLink place={placeOf(place)}>{name}</RowsLink>}
      footer={total > 0 && <TotalLink place={refused()} total={total} />}
    >
      {view === 'reason' ? (
        <CategoryBars
          label={heading}
          items={items}
          labelLimit={labelLimit}
          onPick={(place) => openRows(placeOf(place))}
        />
      ) : (
        <TimeChart
          label={heading}
          kind="stacked"
          days={days}
          series={series}
          onPick={(place) => openRows(placeOf(place))}
        />
      )}
    </ChartPanel>
  );
}

const sumCounts = (reasons: ReturnType<typeof reasonsOf>) =>
  reasons.reduce((sum, { count }) => sum + count, 0);

function TotalLink({ place, total }: { place: ReturnType<typeof rowsOf>; total: number }) {
  return <RowsLink place={place}>{formatQuantity(total, 'request')} refused in total</RowsLink>;
}
