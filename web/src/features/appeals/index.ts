import { lazyPart } from '#lib/lazy-part.tsx';

export { appealsQuery } from './queries.ts';

/** Appeals of blocked users. Loaded when their tab opens. */
export const AppealList = lazyPart(() => import('./list.tsx'), 'AppealList');
