import { lazyFile } from '../../lib/lazy-part.tsx';

/** Dialogs and row details, loaded separately so that the list appears first. */
export const loadOverlays = lazyFile(() => import('./overlays.tsx'));
