import { lazyPart } from '#lib/lazy-part.tsx';

/** Fields of the deviation policy. Loaded on demand, because most visits need only the other settings. */
export const PolicyFields = lazyPart(() => import('./policy-fields.tsx'), 'PolicyFields');
