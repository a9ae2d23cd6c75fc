import { lazyPart } from '#lib/lazy-part.tsx';

/** Form of the deviation policy. Loaded after the other settings, which are needed more often. */
export const PolicyForm = lazyPart(() => import('./policy-form.tsx'), 'PolicyForm');
