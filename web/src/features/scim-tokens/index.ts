import { lazyPart } from '#lib/lazy-part.tsx';

export const ScimTokensPanel = lazyPart(() => import('./panel.tsx'), 'ScimTokensPanel');
