export { CostAndRest } from './cost-and-rest.tsx';
export { ForecastNotice } from './notice.tsx';
