import { providerNames } from '@sluice/contract';
import { queryOptions } from '@tanstack/react-query';

/** Names of the vendors that super administrators have added, if loaded. */
const addedNames = new Map<string, string>();

/** Vendors that instances can be created of. */
export const providerRegistryQuery = queryOptions({
  queryKey: ['provider-registry', 'list'],
  queryFn: async ({ signal }) => {
    // Loads the registry only when needed, since few of the pages that show vendor names need it.
    const { listVendors } = await import('./list-vendors.ts');
    const vendors = await listVendors(signal);
    for (const { provider_key, display_name } of vendors) addedNames.set(provider_key, display_name);
    return vendors;
  },
});

/** Whether a vendor is built in, so that its name is known without loading the registry. */
export const isBuiltInProvider = (providerKey: string): boolean => Object.hasOwn(providerNames, providerKey);

/** Returns the name of a vendor; its key if the name is unknown. */
export const providerNameOf = (providerKey: string): string =>
  (isBuiltInProvider(providerKey) ? providerNames[providerKey] : addedNames.get(providerKey)) ?? providerKey;
