export { AccessSetup } from './panel.tsx';
