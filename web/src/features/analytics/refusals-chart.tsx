import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { tabulateItems, tabulateSeries } from '../../components/charts/chart-data.ts';
import { ChartPanel } from '../../components/charts/chart-panel.tsx';
import { CategoryBars, TimeChart } from '../../components/charts/lazy-charts.tsx';
import { SegmentedSwitch } from '../../components/ui/segmented-switch.tsx';
import { formatCount, formatQuantity } from '../../lib/format-number.ts';
import type { LogsPlace } from '../../lib/logs-place.ts';
import { refusalsQuery, type Scope } from './queries.ts';
import { reasonsOf, refusalSeriesOf, toReasonItem } from './refusals-series.ts';
import { RowsLink, rowsOf, useOpenRows } from './rows-link.tsx';
import { refusalViews } from './switches.ts';

const heading = 'Refused Requests by Reason';
const labelLimit = 24;

/** Refused requests by reason, in total or per day. */
export function RefusalsChart({ scope, days }: { scope: Scope; days: readonly string[] }) {
  const { data: refusals = [], isPending } = useQuery(refusalsQuery(scope));
  const [view, setView] = useState<(typeof refusalViews)[number]['value']>('reason');
  const openRows = useOpenRows();
  const reasons = reasonsOf(refusals);
  const items = reasons.map(toReasonItem);
  const series = refusalSeriesOf(refusals, days);
  const total = reasons.reduce((sum, { count }) => sum + count, 0);
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
      emptyText="Nothing was refused in the selected period"
      isLoading={isPending}
      linkOf={(place, name) => <RowsLink place={placeOf(place)}>{name}</RowsLink>}
      footer={
        total > 0 && <RowsLink place={refused()}>{formatQuantity(total, 'request')} refused in all</RowsLink>
      }
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
