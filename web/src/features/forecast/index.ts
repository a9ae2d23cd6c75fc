export { ForecastNotice } from './notice.tsx';
