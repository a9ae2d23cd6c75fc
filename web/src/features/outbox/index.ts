import { lazyPart } from '#lib/lazy-part.tsx';

/** Invitation link or its delivery state. Needed only after an invitation was sent. */
export const LinkHandover = lazyPart(() => import('./link-handover.tsx'), 'LinkHandover');
