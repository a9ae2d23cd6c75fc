import { lazyPart } from '#lib/lazy-part.tsx';

export const LabelsSection = lazyPart(() => import('./section.tsx'), 'LabelsSection');
