import type { DeviationTimeline } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Flag } from 'lucide-react';
import { useState } from 'react';
import { type Series, scoreLevelLines, tabulateSeries } from '#components/charts/chart-data.ts';
import { ChartPanel } from '#components/charts/chart-panel.tsx';
import { TimeChart } from '#components/charts/lazy-charts.tsx';
import { useIsNear } from '#components/charts/near-view.tsx';
import { SegmentedSwitch } from '#components/ui/segmented-switch.tsx';
import { entityColorsOf } from '#lib/chart-colors.ts';
import { nameDeviationEvent } from '#lib/describe-deviation.ts';
import { formatAxisDay } from '#lib/format-day.ts';
import { formatQuantity, formatScore } from '#lib/format-number.ts';
import styles from './deviation-rows.module.css';
import { deviationQuery, type Scope } from './queries.ts';
import { RowsLink, rowsOf, useOpenRows } from './rows-link.tsx';
import { deviationBreakdowns } from './switches.ts';

interface DeviationRowsProps {
  scope: Scope;
  timeline: DeviationTimeline;
}

/** Means have no status color, because the levels apply to current scores. */
function DeviationRows({ scope, timeline: { series, events } }: DeviationRowsProps) {
  return (
    <div className={styles.rows}>
      <ul className={`num ${styles.list}`} aria-label="Mean scores">
        {series.map((entity) => (
          <li key={entity.entity_id}>
            <EntityName entity={entity} />, mean {formatScore(entity.average_deviation_score)}{' '}
            <RowsLink
              place={rowsOf(
                scope,
                entity.entity_type === 'team' ? { team: entity.entity_id } : { user: entity.entity_id },
              )}
            >
              {formatQuantity(entity.requests, 'request')}
            </RowsLink>
          </li>
        ))}
      </ul>
      {events.length > 0 && (
        <ul className={`num ${styles.list}`} aria-label="Events">
          {events.slice(-eventsShown).map((event) => (
            <li key={`${event.kind} ${event.id}`}>
              <Flag size={12} strokeWidth={1.5} aria-hidden /> {formatAxisDay(event.date)}{' '}
              {event.kind === 'policy_changed' ? (
                <Link to="/admin/audit-log" search={{ open: event.id }}>
                  {nameDeviationEvent(event)}
                </Link>
              ) : (
                <Link to="/admin/users" search={{ tab: 'appeals', appeals: 'all' }}>
                  {nameDeviationEvent(event)}
                </Link>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const eventsShown = 6;

function EntityName({ entity }: { entity: DeviationTimeline['series'][number] }) {
  if (entity.entity_type === 'team') return entity.entity_name;
  return (
    <Link to="/admin/users" search={{ open: entity.entity_id }}>
      {entity.entity_name}
    </Link>
  );
}

const heading = 'Deviation Over Time';
const idOf = ({ entity_id }: DeviationTimeline['series'][number]) => entity_id;

export function DeviationChart({ scope }: { scope: Scope }) {
  const [breakdown, setBreakdown] = useState<(typeof deviationBreakdowns)[number]['value']>('user');
  const { data, isPending } = useQuery({ ...deviationQuery(scope, breakdown), enabled: useIsNear() });
  const openRows = useOpenRows();
  const { dates = [], series: entities = [], events = [] } = data ?? {};
  const colorOf = entityColorsOf(breakdown, entities.map(idOf));
  const series = entities.map((entity) => toSeries(entity, dates, colorOf));
  const markers = events.map((event) => ({ day: event.date, text: nameDeviationEvent(event) }));
  const placeOf = (place: number) => {
    const day = dates[place] ?? scope.period.start;
    return rowsOf(scope, { start: day, end: day });
  };
  return (
    <ChartPanel
      heading={heading}
      unit="daily mean score from 0 to 1, highest five"
      switches={
        <SegmentedSwitch
          label="Scores of"
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
  { entity_id, entity_name, days }: DeviationTimeline['series'][number],
  dates: readonly string[],
  colorOf: (id: number) => string,
): Series {
  const scores = new Map(days.map(({ date, average_deviation_score: score }) => [date, score]));
  return {
    label: entity_name,
    color: colorOf(entity_id),
    values: dates.map((date) => scores.get(date) ?? null),
  };
}
