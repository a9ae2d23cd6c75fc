import { lazyPart } from '#lib/lazy-part.tsx';

/** Loaded when the tab opens. Only super administrators can view the tab. */
export const ProviderRegistryList = lazyPart(() => import('./list.tsx'), 'ProviderRegistryList');
