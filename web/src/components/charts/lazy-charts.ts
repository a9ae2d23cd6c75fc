import { lazy } from 'react';

// Recharts comes only once a chart is shown; a ChartPanel holds the place meanwhile.
export const TimeChart = lazy(() => import('./time-chart.tsx').then((file) => ({ default: file.TimeChart })));
export const ShareChart = lazy(() =>
  import('./share-chart.tsx').then((file) => ({ default: file.ShareChart })),
);
export const CategoryBars = lazy(() =>
  import('./category-bars.tsx').then((file) => ({ default: file.CategoryBars })),
);
