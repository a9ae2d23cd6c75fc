import { providerNames, providerRegistryRoutes } from '@sluice/contract';
import { queryOptions } from '@tanstack/react-query';
import { createApiClient } from './api.ts';

const calls = createApiClient(providerRegistryRoutes);

/** Names of the vendors that a super administrator has added, as far as they have been read. */
const addedNames = new Map<string, string>();

/** The vendors that an instance can be made of. */
export const providerRegistryQuery = queryOptions({
  queryKey: ['provider-registry', 'list'],
  queryFn: async ({ signal }) => {
    const entries = await calls.listProviderRegistry(undefined, { signal });
    for (const { provider_key, display_name } of entries) addedNames.set(provider_key, display_name);
    return entries;
  },
});

/** Whether a vendor comes with Sluice, so that its name is known without asking. */
export const isBuiltInProvider = (providerKey: string): boolean => Object.hasOwn(providerNames, providerKey);

/** A provider's own spelling of its name; its key where it is not known. */
export const providerNameOf = (providerKey: string): string =>
  (isBuiltInProvider(providerKey) ? providerNames[providerKey] : addedNames.get(providerKey)) ?? providerKey;
