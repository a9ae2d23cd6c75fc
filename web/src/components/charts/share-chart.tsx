import './mantine-charts.css';
import { DonutChart } from '@mantine/charts';
import type { ReactNode } from 'react';
import { cutLabel } from '#lib/format-label.ts';
import { formatCount, formatShare, formatTokens } from '#lib/format-number.ts';
import { CategoryBars, ItemTip } from './category-bars.tsx';
import { type Item, type LinkOf, plainName, shareOf } from './chart-data.ts';
import { Swatch } from './chart-legend.tsx';
import styles from './charts.module.css';

export type ShareChartKind = 'pie' | 'donut' | 'bar';

interface ShareChartProps {
  /** Accessible name, for example `Intent Classification Distribution`. */
  label: string;
  kind: ShareChartKind;
  items: readonly Item[];
  /** Unit in the center of a donut chart, for example `requests`. */
  unit?: string;
  /** Formats the values. By default values are formatted as counts, shortened in the center of a donut chart. */
  formatValue?: (value: number) => string;
  /** In characters. Applies to the legend of a pie or donut chart, which shows whole names by default. */
  labelLimit?: number;
  linkOf?: LinkOf;
  /** Called with the index of the clicked bar or slice. */
  onPick?: (place: number) => void;
}

const size = 168;
const donutThickness = 30;

/** The legend repeats each share as text, so that users can read the chart without seeing colors. */
export function ShareChart(props: ShareChartProps) {
  const { label, kind, items, unit, formatValue, labelLimit = Number.POSITIVE_INFINITY, onPick } = props;
  if (kind === 'bar')
    return (
      <CategoryBars
        label={label}
        items={items}
        direction="vertical"
        {...(formatValue && { formatValue })}
        {...(onPick && { onPick })}
      />
    );
  const name = { 'aria-label': label };
  const total = items.reduce((sum, { value }) => sum + value, 0);
  return (
    <div className={styles.share}>
      <div className={styles.pie}>
        <DonutChart
          // Keyed by index, because two items may have the same name.
          data={items.map(({ value, color }, place) => ({ name: String(place), value, color }))}
          size={size}
          thickness={kind === 'donut' ? donutThickness : size / 2}
          strokeColor="var(--surface)"
          strokeWidth={2}
          accessibilityLayer={false}
          pieChartProps={{ ...name, role: 'img' }}
          pieProps={{
            rootTabIndex: -1,
            startAngle: 90,
            endAngle: -270,
            ...(onPick && { cursor: 'pointer', onClick: (_: unknown, place: number) => onPick(place) }),
          }}
          tooltipProps={{ content: (tip: Tip) => renderTip(tip, items, formatValue) }}
        />
        {kind === 'donut' && <Total total={total} unit={unit} format={formatValue ?? formatTotal} />}
      </div>
      <Legend {...props} labelLimit={labelLimit} />
    </div>
  );
}

type LegendProps = Pick<ShareChartProps, 'items' | 'linkOf' | 'formatValue'> & { labelLimit: number };

function Legend({ items, linkOf = plainName, formatValue, labelLimit }: LegendProps) {
  return (
    <ul className={`num ${styles.legend}`}>
      {items.map((item, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two items may have the same name
        <li key={place}>
          <Swatch color={item.color} />
          <span title={item.label}>
            {linkOf(place, `${cutLabel(item.label, labelLimit)} (${formatShare(shareOf(item, items))})`)}
          </span>
          <span className={styles.count}>{(formatValue ?? formatCount)(item.value)}</span>
        </li>
      ))}
    </ul>
  );
}

interface TotalProps {
  total: number;
  unit: string | undefined;
  format: (value: number) => string;
}

/** Shortens numbers that do not fit in the center of a donut chart. */
const formatTotal = (total: number) => (total < 1_000_000 ? formatCount(total) : formatTokens(total));

function Total({ total, unit, format }: TotalProps) {
  return (
    <div className={`num ${styles.total}`}>
      <strong title={format(total)}>{format(total)}</strong>
      {unit}
    </div>
  );
}

interface Tip {
  active?: boolean;
  payload?: readonly { name?: unknown }[];
}

function renderTip(
  { active, payload }: Tip,
  items: readonly Item[],
  formatValue?: (value: number) => string,
): ReactNode {
  const item = items[Number(payload?.[0]?.name)];
  return active && item ? <ItemTip item={item} items={items} {...(formatValue && { formatValue })} /> : null;
}
