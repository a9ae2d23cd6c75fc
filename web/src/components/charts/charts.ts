export { CategoryBars } from './category-bars.tsx';
export { ShareChart } from './share-chart.tsx';
export { TimeChart } from './time-chart.tsx';
