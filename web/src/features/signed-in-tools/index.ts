export { ToolsPanel } from './tools-panel.tsx';
