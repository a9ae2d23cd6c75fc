import './mantine-charts.css';
import { DonutChart } from '@mantine/charts';
import type { ReactNode } from 'react';
import { cutLabel } from '../../lib/format-label.ts';
import { formatCount, formatShare } from '../../lib/format-number.ts';
import { CategoryBars, ItemTip } from './category-bars.tsx';
import { type Item, shareOf } from './chart-data.ts';
import { Swatch } from './chart-legend.tsx';
import styles from './charts.module.css';

export type ShareChartKind = 'pie' | 'donut' | 'bar';

interface ShareChartProps {
  /** What it shows, for screen readers: `Intent Classification Distribution`. */
  label: string;
  kind: ShareChartKind;
  items: readonly Item[];
  /** What is counted, in the middle of a donut: `requests`. */
  unit?: string;
  /** After how many characters a name is cut in the legend of a pie. */
  labelLimit?: number;
}

const size = 200;
const donutThickness = 34;

/** Parts of a whole; the legend tells each in words, so that no colour has to be seen. */
export function ShareChart({ label, kind, items, unit, labelLimit = 12 }: ShareChartProps) {
  if (kind === 'bar') return <CategoryBars label={label} items={items} direction="vertical" />;
  const name = { 'aria-label': label };
  const total = items.reduce((sum, { value }) => sum + value, 0);
  return (
    <div className={styles.share}>
      <div className={styles.pie}>
        <DonutChart
          data={items.map((item) => ({ name: item.label, value: item.value, color: item.color }))}
          size={size}
          thickness={kind === 'donut' ? donutThickness : size / 2}
          strokeColor="var(--surface)"
          strokeWidth={2}
          accessibilityLayer={false}
          pieChartProps={{ ...name, role: 'img' }}
          pieProps={{ rootTabIndex: -1, startAngle: 90, endAngle: -270 }}
          tooltipProps={{ content: (tip: Tip) => renderTip(tip, items) }}
        />
        {kind === 'donut' && (
          <div className={`num ${styles.total}`}>
            <strong>{formatCount(total)}</strong>
            {unit}
          </div>
        )}
      </div>
      <ul className={`num ${styles.legend}`}>
        {items.map((item) => (
          <li key={item.label}>
            <Swatch color={item.color} />
            <span title={item.label}>
              {cutLabel(item.label, labelLimit)} ({formatShare(shareOf(item, items))})
            </span>
            <span className={styles.count}>{formatCount(item.value)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface Tip {
  active?: boolean;
  payload?: readonly { name?: unknown }[];
}

function renderTip({ active, payload }: Tip, items: readonly Item[]): ReactNode {
  const item = items.find(({ label }) => label === payload?.[0]?.name);
  return active && item ? <ItemTip item={item} items={items} /> : null;
}
