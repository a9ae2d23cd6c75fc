import type { TenantTransaction } from '#db/tenant.ts';
import { invalidField } from '#errors/console-error.ts';
import type { Provider } from '#providers/provider.ts';
import { toVendorProvider } from '#providers/registry.ts';
import { findVendor } from './store.ts';

export interface RegisteredProvider extends Provider {
  readonly key: string;
  readonly registryId: number;
}

/**
 * Finds a provider by registry id or key.
 * @throws ConsoleError 422 if it is disabled or unsupported in this version.
 */
export async function requireProvider(
  tx: TenantTransaction,
  reference: number | string,
): Promise<RegisteredProvider> {
  const vendor = await findVendor(tx, reference);
  const provider = vendor && toVendorProvider(vendor);
  if (!vendor || !provider) throw invalidField('provider_registry_id', 'This provider is not available');
  return { ...provider, key: vendor.providerKey, registryId: vendor.id };
}
