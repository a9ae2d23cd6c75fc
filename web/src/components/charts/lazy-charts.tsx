import { Skeleton } from '@mantine/core';
import { lazyFile, lazyPart } from '#lib/lazy-part.tsx';
import styles from './chart-skeleton.module.css';

const barHeights = ['38%', '62%', '54%', '80%', '46%', '70%', '90%', '58%', '66%', '42%', '74%', '50%'];

/** Placeholder while the code or data of a chart loads. */
export function ChartSkeleton() {
  return (
    <div className={styles.skeleton} aria-hidden="true">
      {barHeights.map((barHeight) => (
        <Skeleton key={barHeight} height={barHeight} />
      ))}
    </div>
  );
}

// Recharts and all chart components are one file, loaded with the first chart.
const loadCharts = lazyFile(() => import('./charts.ts'));

export const TimeChart = lazyPart(loadCharts, 'TimeChart', <ChartSkeleton />);
export const ShareChart = lazyPart(loadCharts, 'ShareChart', <ChartSkeleton />);
export const CategoryBars = lazyPart(loadCharts, 'CategoryBars', <ChartSkeleton />);
