import { providerNames } from '@sluice/contract';
import { queryOptions } from '@tanstack/react-query';

/** Names of the vendors that super administrators have added. Empty until the registry is loaded. */
const addedNames = new Map<string, string>();

export const providerRegistryQuery = queryOptions({
  queryKey: ['provider-registry', 'list'],
  queryFn: async ({ signal }) => {
    // Loaded on demand, because most pages need only the names of built-in vendors.
    const { listVendors } = await import('./list-vendors.ts');
    const vendors = await listVendors(signal);
    for (const { provider_key, display_name } of vendors) addedNames.set(provider_key, display_name);
    return vendors;
  },
});

/** The names of built-in vendors are known without loading the registry. */
export const isBuiltInProvider = (providerKey: string): boolean => Object.hasOwn(providerNames, providerKey);

/** Returns the name of a vendor, or its key if the name is unknown. */
export const providerNameOf = (providerKey: string): string =>
  (isBuiltInProvider(providerKey) ? providerNames[providerKey] : addedNames.get(providerKey)) ?? providerKey;
