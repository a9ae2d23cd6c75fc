import type { DeviationTimeline } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { cycleColorOf } from '../../components/charts/chart-colors.ts';
import { type Series, tabulateSeries } from '../../components/charts/chart-data.ts';
import { ChartPanel } from '../../components/charts/chart-panel.tsx';
import { TimeChart } from '../../components/charts/lazy-charts.tsx';
import { scoreLevelLines } from '../../components/charts/score-level-lines.ts';
import { SegmentedSwitch } from '../../components/ui/segmented-switch.tsx';
import { nameDeviationEvent } from '../../lib/deviation-events.ts';
import { formatScore } from '../../lib/score-level.ts';
import { DeviationRows } from './deviation-rows.tsx';
import { deviationQuery, type Scope } from './queries.ts';
import { RowsLink, rowsOf, useOpenRows } from './rows-link.tsx';
import { deviationBreakdowns } from './switches.ts';

const heading = 'Deviation Over Time';

/** Scores of the users who deviate most, with policy changes and other events marked. */
export function DeviationChart({ scope }: { scope: Scope }) {
  const [breakdown, setBreakdown] = useState<(typeof deviationBreakdowns)[number]['value']>('user');
  const { data, isPending } = useQuery(deviationQuery(scope, breakdown));
  const openRows = useOpenRows();
  const { dates = [], series: entities = [], events = [] } = data ?? {};
  const series = entities.map((entity, place) => toSeries(entity, dates, place));
  const markers = events.map((event) => ({ day: event.date, text: nameDeviationEvent(event) }));
  const placeOf = (place: number) => {
    const day = dates[place] ?? scope.period.start;
    return rowsOf(scope, { start: day, end: day });
  };
  return (
    <ChartPanel
      heading={heading}
      unit="mean score of a day, highest five"
      switches={
        <SegmentedSwitch
          label="Whose scores"
          options={deviationBreakdowns}
          value={breakdown}
          onChange={setBreakdown}
        />
      }
      table={tabulateSeries(entities.length === 0 ? [] : dates, series, formatScore, markers)}
      emptyText={
        breakdown === 'user'
          ? 'No scores in the selected period'
          : 'No team has scores in the selected period'
      }
      isLoading={isPending}
      linkOf={(place, name) => <RowsLink place={placeOf(place)}>{name}</RowsLink>}
      footer={data && <DeviationRows scope={scope} timeline={data} />}
    >
      <TimeChart
        label={heading}
        kind="line"
        days={dates}
        series={series}
        formatValue={formatScore}
        formatTick={formatScore}
        markers={markers}
        levels={scoreLevelLines}
        max={1}
        onPick={(place) => openRows(placeOf(place))}
      />
    </ChartPanel>
  );
}

function toSeries(
  { entity_name, days }: DeviationTimeline['series'][number],
  dates: readonly string[],
  place: number,
): Series {
  const scores = new Map(days.map(({ date, average_deviation_score: score }) => [date, score]));
  return {
    label: entity_name,
    color: cycleColorOf(place),
    values: dates.map((date) => scores.get(date) ?? null),
  };
}
