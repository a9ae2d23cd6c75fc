import type { TenantTransaction } from '#db/tenant.ts';
import { invalidField } from '#errors/console-error.ts';
import type { Provider } from '#providers/provider.ts';
import { findProvider } from '#providers/registry.ts';
import { findProviderKey } from './store.ts';

/** The vendor that a form names. @throws ConsoleError 422 for one that is switched off, or not in this version. */
export async function requireProvider(
  tx: TenantTransaction,
  registryId: number,
): Promise<Provider & { key: string }> {
  const key = await findProviderKey(tx, registryId);
  const provider = key === undefined ? undefined : findProvider(key);
  if (key === undefined || !provider) {
    throw invalidField('provider_registry_id', 'This provider is not available');
  }
  return { ...provider, key };
}
