import { lazyPart } from '#lib/lazy-part.tsx';

/** Loaded on demand, because the section appears only after an invitation was sent. */
export const LinkHandover = lazyPart(() => import('./link-handover.tsx'), 'LinkHandover');
