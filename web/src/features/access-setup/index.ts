import { lazyPart } from '#lib/lazy-part.tsx';

export { AccessField, type AccessFieldName, findAccessId } from './access-fields.tsx';
export { type AccessOptions, accessOptionsQuery } from './queries.ts';
export { QuotaFields } from './quota-fields.tsx';

export const AccessSetup = lazyPart(() => import('./panel.tsx'), 'AccessSetup');
