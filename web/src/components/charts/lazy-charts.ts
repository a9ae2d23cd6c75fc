import { lazy } from 'react';
import { loadPart } from '../../lib/load-part.ts';

// Recharts comes only once a chart is shown; a ChartPanel holds the place meanwhile.
export const TimeChart = lazy(
  loadPart(() => import('./time-chart.tsx').then((file) => ({ default: file.TimeChart }))),
);
export const ShareChart = lazy(
  loadPart(() => import('./share-chart.tsx').then((file) => ({ default: file.ShareChart }))),
);
export const CategoryBars = lazy(
  loadPart(() => import('./category-bars.tsx').then((file) => ({ default: file.CategoryBars }))),
);
