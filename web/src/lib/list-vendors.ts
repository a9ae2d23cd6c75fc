import { type ProviderRegistryEntry, providerRegistryRoutes } from '@sluice/contract';
import { createApiClient } from './api.ts';

const calls = createApiClient(providerRegistryRoutes);

export const listVendors = (signal: AbortSignal): Promise<ProviderRegistryEntry[]> =>
  calls.listProviderRegistry(undefined, { signal });
