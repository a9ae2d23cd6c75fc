import { lazyPart } from '#lib/lazy-part.tsx';

/** Vendors of all tenants. Loaded when a super administrator opens their tab. */
export const ProviderRegistryList = lazyPart(() => import('./list.tsx'), 'ProviderRegistryList');
