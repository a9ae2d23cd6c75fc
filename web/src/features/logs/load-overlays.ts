/** What opens over the list and under its rows: apart from the list, which is to be there first. */
export const loadOverlays = () => import('./overlays.tsx');
