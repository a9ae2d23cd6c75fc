import './mantine-charts.css';
import { BarChart } from '@mantine/charts';
import type { ReactNode } from 'react';
import { cutLabel } from '#lib/format-label.ts';
import { formatCount } from '#lib/format-number.ts';
import { useWidth } from '#lib/use-width.ts';
import { describeItem, formatOfTicks, type Item } from './chart-data.ts';
import { ChartTip } from './chart-tip.tsx';
import styles from './charts.module.css';

interface CategoryBarsProps {
  /** Accessible name: `Top Models Used`. */
  label: string;
  items: readonly Item[];
  /** Whether the bars lie, their names at the left, or stand. */
  direction?: 'horizontal' | 'vertical';
  /** After how many characters a name is cut. */
  labelLimit?: number;
  /** Suffix that stays visible when the name is truncated: ` (team)`. */
  suffixOf?: (item: Item) => string;
  /** At the bars and on the axis. */
  formatValue?: (value: number) => string;
  /** Opens what is behind a bar. */
  onPick?: (place: number) => void;
}

const characterWidth = 7;
const nameWidthMax = 200;
/** Standing bars are narrower than their names, which stand too where there is little room. */
const slanted = { angle: -24, textAnchor: 'end', height: 72 } as const;
const steep = { angle: -62, textAnchor: 'end', height: 128 } as const;
const slantedWidth = 76;

/** One bar for each thing, in the order given. The arrow keys walk through them once the chart has focus. */
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
  const nameOf = (place: number) => {
    const item = items[place];
    return item === undefined ? '' : cutLabel(item.label, labelLimit) + suffixOf(item);
  };
  const names = { tickFormatter: nameOf, interval: 0 } as const;
  const longest = Math.max(...items.map((_, place) => nameOf(place).length));
  const [widthPx, measure] = useWidth();
  const slope = widthPx < items.length * slantedWidth ? steep : slanted;
  const tickFormatter = formatOfTicks(formatValue);
  const nameWidth = Math.min(longest * characterWidth + 12, nameWidthMax);
  return (
    <BarChart
      ref={measure}
      className={styles.chart}
      // By place, since two things may have the same name.
      data={items.map(({ value, color }, place) => ({ place, value, color }))}
      dataKey="place"
      series={[{ name: 'value', color: 'var(--chart-1)' }]}
      // Recharts calls the direction by its axis of values.
      orientation={isHorizontal ? 'vertical' : 'horizontal'}
      xAxisProps={isHorizontal ? { hide: true, domain: [0, 'dataMax'] } : { ...names, ...slope }}
      yAxisProps={isHorizontal ? { ...names, width: nameWidth } : { tickFormatter, width: 'auto' }}
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

/** Clicking at the height of a bar is enough. */
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
