import { providerNames } from '@sluice/contract';
import { queryOptions } from '@tanstack/react-query';

/** Names of the vendors that a super administrator has added, as far as they have been read. */
const addedNames = new Map<string, string>();

/** The vendors that an instance can be made of. */
export const providerRegistryQuery = queryOptions({
  queryKey: ['provider-registry', 'list'],
  queryFn: async ({ signal }) => {
    // Names of vendors stand on many pages, and few of them need to ask.
    const { listVendors } = await import('./list-vendors.ts');
    const vendors = await listVendors(signal);
    for (const { provider_key, display_name } of vendors) addedNames.set(provider_key, display_name);
    return vendors;
  },
});

/** Whether a vendor comes with Sluice, so that its name is known without asking. */
export const isBuiltInProvider = (providerKey: string): boolean => Object.hasOwn(providerNames, providerKey);

/** A provider's own spelling of its name; its key where it is not known. */
export const providerNameOf = (providerKey: string): string =>
  (isBuiltInProvider(providerKey) ? providerNames[providerKey] : addedNames.get(providerKey)) ?? providerKey;
