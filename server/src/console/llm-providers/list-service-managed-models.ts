import type { ConnectionTest } from '@sluice/contract';
import { openPriceBook } from '#console/credits/price-book.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import type { Keyring } from '#platform/keyring.ts';
import { openSecret, providerKeyPlace } from '#platform/seal-secret.ts';
import { toVendorProvider } from '#providers/registry.ts';
import { type Candidate, type DiscoverModelsDeps, tryConnection } from './discover-models.ts';
import { findServiceManaged, findVendor } from './store.ts';

export interface ListServiceManagedModelsDeps extends DiscoverModelsDeps {
  readonly keyring: Pick<Keyring, 'sealingKey'>;
}

/**
 * Lists models for a service-managed instance: those found with the operator's key if the tenant has such an instance,
 * or else the known ones. Omits models without a price, since credits pay for them.
 */
export async function listServiceManagedModels(
  deps: ListServiceManagedModelsDeps,
  ctx: SignedInContext,
  registryId: number,
): Promise<ConnectionTest> {
  const { tenantId } = ctx.principal;
  const { candidate, known, isPriced } = await ctx.inTenant((tx) => prepare(deps, tx, tenantId, registryId));
  const found = candidate ? await tryConnection(deps, ctx, candidate) : succeed(known);
  return found.success ? succeed(found.available_models.filter(isPriced)) : found;
}

function succeed(models: readonly string[]): ConnectionTest {
  return { success: true, available_models: [...models], error: null };
}

async function prepare(
  { keyring }: ListServiceManagedModelsDeps,
  tx: TenantTransaction,
  tenantId: number,
  registryId: number,
) {
  const vendor = await findVendor(tx, registryId);
  const provider = vendor && toVendorProvider(vendor);
  if (!vendor || !provider) throw notFound('Provider');
  const instance = await findServiceManaged(tx, tenantId, registryId);
  const candidate: Candidate | null = instance && {
    provider,
    endpoint: instance.apiEndpoint,
    apiKey: openSecret(keyring.sealingKey, providerKeyPlace(tenantId, instance.id), instance.sealedApiKey),
  };
  const book = await openPriceBook(tx, tenantId);
  const known = vendor.supportedModels.length > 0 ? vendor.supportedModels : provider.models;
  return { candidate, known, isPriced: (model: string) => book.find(vendor.providerKey, model) !== null };
}
