import './mantine-charts.css';
import { BarChart, type BarChartProps, LineChart, type LineChartProps } from '@mantine/charts';
import type { Key, ReactElement, ReactNode } from 'react';
import { formatAxisDay } from '#lib/format-day.ts';
import { formatCount } from '#lib/format-number.ts';
import { pickingPlace } from './category-bars.tsx';
import {
  type DayMarker,
  describeDayTitle,
  evenTicks,
  isRunningDay,
  type LevelLine,
  markersOn,
  type Series,
} from './chart-data.ts';
import { ChartLegend } from './chart-legend.tsx';
import { ChartTip } from './chart-tip.tsx';
import styles from './charts.module.css';

export type TimeChartKind = 'line' | 'bar' | 'stacked';

interface TimeChartProps {
  /** Accessible name, for example `Token Usage Over Time`. */
  label: string;
  kind: TimeChartKind;
  days: readonly string[];
  series: readonly Series[];
  /** Formats values in the tooltip, for example `5,650,060 tokens`. */
  formatValue?: (value: number) => string;
  /** Formats axis ticks and the value at the end of a line, for example `5.6M`. */
  formatTick?: (value: number) => string;
  /** Formats axis ticks if they need more decimals than other values. `top` is the highest value of the axis. */
  formatAxis?: (value: number, top: number) => string;
  /** Called with the index of the clicked day. */
  onPick?: (place: number) => void;
  /** Events, drawn as vertical lines and listed in the tooltip. */
  markers?: readonly DayMarker[];
  levels?: readonly LevelLine[];
  /** Fixed end of the value axis. If absent, the end is derived from the values. */
  max?: number;
}

const dashes = [undefined, '6 3', '2 3', '10 3 2 3', '14 4'];
const noMarkers: readonly DayMarker[] = [];
const noLevels: readonly LevelLine[] = [];
const markerLine = { color: 'var(--muted)', strokeDasharray: '4 3' } as const;
const keyOf = (place: number) => `series${place}`;

/** While the chart has the focus, the arrow keys move between days. */
export function TimeChart({
  label,
  kind,
  days,
  series,
  formatValue = formatCount,
  formatTick = formatCount,
  formatAxis = (value) => formatTick(value),
  onPick,
  markers = noMarkers,
  levels = noLevels,
  max,
}: TimeChartProps) {
  const isLine = kind === 'line';
  const dashesOf = (place: number) => (isLine ? dashes[place % dashes.length] : undefined);
  const chart = {
    ...frame,
    data: days.map((day, index) => describeDay(day, index, series)),
    series: series.map(({ color }, place) => toLine(color, place, dashesOf(place))),
    valueFormatter: (value: number) => formatAxis(value, max ?? findTop(series, kind === 'stacked')),
    yAxisProps: describeAxis(series, max),
    referenceLines: [
      ...levels.map(toLevelLine),
      ...runningDayLine(days),
      ...[...new Set(markers.map(({ day }) => day))].map((day) => ({ x: day, ...markerLine })),
    ],
    tooltipProps: {
      filterNull: false,
      content: (tip: Tip) => renderTip(tip, series, { formatValue, markers }),
    },
    area: { 'aria-label': label, role: 'application', ...pickingPlace(onPick) },
  };
  const lastValue = <LastValue lastIndex={days.length - 1} format={formatTick} />;

  return (
    <>
      {isLine ? (
        <Lines {...chart} lastValue={series.length === 1 ? lastValue : null} />
      ) : (
        <Bars {...chart} isStacked={kind === 'stacked'} />
      )}
      {series.length > 1 && (
        <ChartLegend
          isLine={isLine}
          entries={series.map((entry, place) => ({ ...entry, dashes: dashesOf(place) }))}
        />
      )}
    </>
  );
}

function describeAxis(series: readonly Series[], max: number | undefined) {
  // Counts, such as users, have whole ticks.
  const allowDecimals = series.some(({ values }) => values.some((value) => !Number.isInteger(value ?? 0)));
  const fixed = max !== undefined && max > 0 && { domain: [0, max], ticks: evenTicks(max, !allowDecimals) };
  return { ...frame.yAxisProps, allowDecimals, ...fixed };
}

/** Returns the highest daily value, or the highest daily sum if the series are stacked. */
function findTop(series: readonly Series[], isStacked: boolean): number {
  const days = series[0]?.values ?? [];
  const join = (values: number[]) =>
    isStacked ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
  return Math.max(0, ...days.map((_, day) => join(series.map(({ values }) => values[day] ?? 0))));
}

interface LinesProps extends LineChartProps {
  area: LineChartProps['lineChartProps'];
  /** `null` if the chart has several lines. */
  lastValue: ReactElement | null;
}

function Lines({ area, lastValue, ...chart }: LinesProps) {
  return (
    <LineChart
      {...chart}
      curveType="linear"
      connectNulls={false}
      withDots={false}
      lineProps={{ dot: renderLoneDot, activeDot: { r: 4 }, label: lastValue ?? false }}
      lineChartProps={{
        ...area,
        margin: lastValue ? { ...margin, right: lastValueWidth } : margin,
      }}
    />
  );
}

interface BarsProps extends BarChartProps {
  area: BarChartProps['barChartProps'];
  isStacked: boolean;
}

function Bars({ area, isStacked, ...chart }: BarsProps) {
  return (
    <BarChart
      {...chart}
      type={isStacked ? 'stacked' : 'default'}
      maxBarWidth={28}
      barProps={{ stroke: 'var(--surface)', strokeWidth: 1, strokeOpacity: 1 }}
      barChartProps={{ ...area, margin }}
    />
  );
}

const toLevelLine = ({ value, color, label }: LevelLine) => ({
  y: value,
  color,
  strokeDasharray: '2 4',
  label: { value: label, className: styles.lineLabel },
  labelPosition: 'insideBottomLeft' as const,
});

/** Marks the last day if the day has not ended. */
function runningDayLine(days: readonly string[]) {
  const last = days.at(-1);
  if (last === undefined || !isRunningDay(last)) return [];
  return [
    {
      x: last,
      color: 'var(--muted)',
      strokeDasharray: '1 3',
      // The label is above the plot, where bars and lines cannot cover it.
      label: {
        value: 'Today so far',
        position: 'insideTopRight',
        dy: -19,
        className: styles.lineLabel,
      } as const,
    },
  ];
}

const toLine = (color: string, place: number, strokeDasharray: string | undefined) => ({
  name: keyOf(place),
  color,
  ...(strokeDasharray !== undefined && { strokeDasharray }),
});

const describeDay = (day: string, index: number, series: readonly Series[]) => ({
  day,
  ...Object.fromEntries(series.map(({ values }, place) => [keyOf(place), values[index] ?? null])),
});

/** In pixels. Leaves space for the label of the current day. */
const margin = { top: 20, right: 8 };
const lastValueWidth = 48;

const frame = {
  className: styles.chart,
  dataKey: 'day',
  strokeDasharray: '0',
  tickLine: 'none',
  xAxisProps: { tickFormatter: formatAxisDay, minTickGap: 24, interval: 'preserveStartEnd' },
  yAxisProps: { width: 'auto', domain: [0, 'auto'] },
} as const;

interface Tip {
  label?: string | number | undefined;
  payload?: readonly { dataKey?: unknown; value?: unknown }[];
  active?: boolean;
}

interface TipText {
  formatValue: (value: number) => string;
  markers: readonly DayMarker[];
}

function renderTip(tip: Tip, series: readonly Series[], { formatValue, markers }: TipText): ReactNode {
  if (!tip.active || tip.label === undefined) return null;
  const rows = series.flatMap(({ label, color }, place) => {
    const value = tip.payload?.find(({ dataKey }) => dataKey === keyOf(place))?.value;
    const text = typeof value === 'number' ? formatValue(value) : 'No data';
    return series.length === 1 ? [{ value: text }] : [{ name: label, color, value: text }];
  });
  const day = String(tip.label);
  const events = markersOn(day, markers).map((text) => ({ name: 'Event', value: text }));
  return <ChartTip title={describeDayTitle(day)} rows={[...rows, ...events]} />;
}

interface DotProps {
  key?: Key | null | undefined;
  cx?: number | undefined;
  cy?: number | undefined;
  index?: number;
  points?: readonly { value?: unknown }[];
  stroke?: string | undefined;
}

/** Draws a dot for a value between two gaps, where no line is visible. */
function renderLoneDot({ key, cx, cy, index = 0, points = [], stroke }: DotProps) {
  const isGap = (place: number) => typeof points[place]?.value !== 'number';
  const isLone = !isGap(index) && isGap(index - 1) && isGap(index + 1);
  return isLone ? <circle key={key} cx={cx} cy={cy} r={3} fill={stroke} /> : <g key={key} />;
}

interface LastValueProps {
  lastIndex: number;
  format: (value: number) => string;
  index?: number;
  x?: number | string;
  y?: number | string;
  value?: unknown;
}

/** Recharts renders the component for every point. */
function LastValue({ lastIndex, format, index, x, y, value }: LastValueProps) {
  if (index !== lastIndex || typeof value !== 'number') return null;
  return (
    <text x={Number(x) + 8} y={y} dy="0.35em" fontSize={12} fontWeight={600} fill="var(--text)">
      {format(value)}
    </text>
  );
}
