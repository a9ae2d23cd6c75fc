import { lazyFile, lazyPart } from '../../lib/lazy-part.tsx';
import { ChartSkeleton } from './chart-skeleton.tsx';

// Recharts comes only once a chart is shown, in one file with all charts.
const loadCharts = lazyFile(() => import('./charts.ts'));

export const TimeChart = lazyPart(loadCharts, 'TimeChart', <ChartSkeleton />);
export const ShareChart = lazyPart(loadCharts, 'ShareChart', <ChartSkeleton />);
export const CategoryBars = lazyPart(loadCharts, 'CategoryBars', <ChartSkeleton />);
