export { CostAndRemaining } from './cost-and-remaining.tsx';
export { ForecastNotice } from './notice.tsx';
