export { ToolsPanel } from './tools-panel.tsx';
export { UserToolsSection } from './user-tools-section.tsx';
