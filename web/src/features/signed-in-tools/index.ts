import { lazyPart } from '#lib/lazy-part.tsx';

export { ToolsPanel } from './tools-panel.tsx';

export const UserToolsSection = lazyPart(() => import('./user-tools-section.tsx'), 'UserToolsSection');
