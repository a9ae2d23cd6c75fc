export { SecondFactorPanel } from './panel.tsx';
