import { lazyFile } from '../../lib/lazy-part.tsx';

/** What opens over the list and under its rows: apart from the list, which is to be there first. */
export const loadOverlays = lazyFile(() => import('./overlays.tsx'));
