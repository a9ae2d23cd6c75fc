import { lazyPart } from '#lib/lazy-part.tsx';

/** Fields of the deviation policy. Loaded after the other settings, which are needed more often. */
export const PolicyFields = lazyPart(() => import('./policy-fields.tsx'), 'PolicyFields');
