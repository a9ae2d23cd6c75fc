import { lazy } from 'react';
import { loadPart } from '../../lib/load-part.ts';

// Recharts comes only once a chart is shown, in one file with all charts; a ChartPanel holds the place meanwhile.
const loadCharts = loadPart(() => import('./charts.ts'));

export const TimeChart = lazy(async () => ({ default: (await loadCharts()).TimeChart }));
export const ShareChart = lazy(async () => ({ default: (await loadCharts()).ShareChart }));
export const CategoryBars = lazy(async () => ({ default: (await loadCharts()).CategoryBars }));
