import './mantine-charts.css';
import { BarChart } from '@mantine/charts';
import type { ReactNode } from 'react';
import { cutLabel, wholeOfLabel } from '#lib/format-label.ts';
import { formatCount } from '#lib/format-number.ts';
import { useWidth } from '#lib/use-width.ts';
import { describeItem, formatOfTicks, type Item } from './chart-data.ts';
import { ChartTip } from './chart-tip.tsx';
import styles from './charts.module.css';

interface CategoryBarsProps {
  /** Accessible name, for example `Top Models Used`. */
  label: string;
  items: readonly Item[];
  /** Horizontal bars have their names on the left. */
  direction?: 'horizontal' | 'vertical';
  /** Maximum name length in characters. Longer names are truncated. */
  labelLimit?: number;
  /** Returns a suffix that remains visible when the name is truncated, for example ` (team)`. */
  suffixOf?: (item: Item) => string;
  formatValue?: (value: number) => string;
  /** Called with the index of the clicked item. */
  onPick?: (place: number) => void;
}

const characterWidth = 7;
const smallCharacterWidth = 6;
const nameWidthMax = 200;
const wholeMax = Math.floor((nameWidthMax - 12) / smallCharacterWidth);
/** Names are slanted, because they are usually wider than vertical bars. */
const slanted = { angle: -24, textAnchor: 'end', height: 72 } as const;
const steep = { angle: -62, textAnchor: 'end', height: 128 } as const;
const slantedWidth = 76;

/** While the chart has the focus, the arrow keys move between bars. */
export function CategoryBars({
  label,
  items,
  direction = 'horizontal',
  labelLimit = 15,
  suffixOf = () => '',
  formatValue = formatCount,
  onPick,
}: CategoryBarsProps) {
  const name = { 'aria-label': label };
  const isHorizontal = direction === 'horizontal';
  const { nameOf, wholeOf, width } = listNames(items, labelLimit, suffixOf);
  const tick = (place: Tick) => <NameTick {...place} nameOf={nameOf} wholeOf={wholeOf} />;
  const names = { tickFormatter: nameOf, interval: 0 } as const;
  const [widthPx, measure] = useWidth();
  const slope = widthPx < items.length * slantedWidth ? steep : slanted;
  const tickFormatter = formatOfTicks(formatValue);
  return (
    <BarChart
      ref={measure}
      className={styles.chart}
      // Keyed by index, because two items may have the same name.
      data={items.map(({ value, color }, place) => ({ place, value, color }))}
      dataKey="place"
      series={[{ name: 'value', color: 'var(--chart-1)' }]}
      // Recharts names the layout after the direction of the value axis.
      orientation={isHorizontal ? 'vertical' : 'horizontal'}
      xAxisProps={isHorizontal ? { hide: true, domain: [0, 'dataMax'] } : { ...names, ...slope }}
      yAxisProps={isHorizontal ? { ...names, width, tick } : { tickFormatter, width: 'auto' }}
      gridAxis={isHorizontal ? 'none' : 'x'}
      strokeDasharray="0"
      tickLine="none"
      maxBarWidth={22}
      withBarValueLabel={isHorizontal}
      valueFormatter={tickFormatter}
      barChartProps={{
        ...name,
        role: 'application',
        margin: isHorizontal ? { right: 56 } : { top: 12, left: 24 },
        ...pickingPlace(onPick),
      }}
      tooltipProps={{ content: (tip: Tip) => renderTip(tip, items, formatValue) }}
    />
  );
}

/** Returns display names and full names by index, and the width of the widest name. */
function listNames(items: readonly Item[], limit: number, suffixOf: (item: Item) => string) {
  const names = items.map((item) => cutLabel(item.label, limit) + suffixOf(item));
  const wholes = items.map(({ label }) => wholeOfLabel(label, limit, wholeMax));
  const widths = [
    ...names.map(({ length }) => length * characterWidth),
    ...wholes.map(({ length }) => length * smallCharacterWidth),
  ];
  return {
    nameOf: (place: number) => names[place] ?? '',
    wholeOf: (place: number) => wholes[place] ?? '',
    width: Math.min(Math.max(...widths) + 12, nameWidthMax),
  };
}

interface Tick {
  x: number | string;
  y: number | string;
  payload: { value: number };
}

interface NameTickProps extends Tick {
  nameOf: (place: number) => string;
  wholeOf: (place: number) => string;
}

/** The full name follows a truncated name on a second line, because versions of a model differ at the end. */
function NameTick({ x, y, payload: { value: place }, nameOf, wholeOf }: NameTickProps) {
  const whole = wholeOf(place);
  return (
    <g textAnchor="end" fill="currentColor">
      <text x={x} y={y} dy={whole === '' ? '0.35em' : '-0.1em'} fontSize={12}>
        {nameOf(place)}
      </text>
      {whole !== '' && (
        <text x={x} y={y} dy="1.1em" fontSize={10} fill="var(--muted)">
          {whole}
        </text>
      )}
    </g>
  );
}

/** Returns chart props that call `onPick` for a click anywhere in the row or column of a bar. */
export const pickingPlace = (onPick: ((place: number) => void) | undefined) =>
  onPick && {
    style: { cursor: 'pointer' },
    onClick: ({ activeTooltipIndex: place }: { activeTooltipIndex?: unknown }) => {
      if (place !== undefined && place !== null) onPick(Number(place));
    },
  };

interface Tip {
  label?: string | number | undefined;
  active?: boolean;
}

function renderTip(
  { label, active }: Tip,
  items: readonly Item[],
  formatValue: (value: number) => string,
): ReactNode {
  const item = items[Number(label)];
  return active && item ? <ItemTip item={item} items={items} formatValue={formatValue} /> : null;
}

interface ItemTipProps {
  item: Item;
  items: readonly Item[];
  formatValue?: (value: number) => string;
}

export function ItemTip({ item, items, formatValue }: ItemTipProps) {
  const rows = item.details?.map(([name, value]) => ({ name, value })) ?? [
    { value: describeItem(item, items, formatValue), color: item.color },
  ];
  return <ChartTip title={item.details ? item.label : ''} rows={rows} />;
}
