import { lazyPart } from '#lib/lazy-part.tsx';

export { appealsQuery } from './queries.ts';

/** Loaded when the tab opens. */
export const AppealList = lazyPart(() => import('./list.tsx'), 'AppealList');
