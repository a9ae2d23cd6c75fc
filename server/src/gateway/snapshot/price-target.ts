import { findPrice } from '#domain/price/catalogue.ts';
import type { Price } from '#domain/price/price.ts';
import type { Snapshot } from './snapshot.ts';
import type { InstanceEntry } from './tables/llm-providers.ts';
import type { TenantEntry } from './tables/tenants.ts';

/** Price for the hold and charge of a model of an instance; decided once, when the request is planned. */
export interface TargetPrice {
  /** `null` when no price is known: nothing paid with credits may then be sent there. */
  readonly price: Price | null;
  /** Zero if the tenant pays its provider directly. */
  readonly markupPercent: number;
}

/**
 * Returns the price of a model: set for the instance, else for its provider, else from the catalog. Self-managed
 * instances without any of these get the tenant's fallback price.
 */
export function priceTarget(
  {
    priceOverrides,
    platformSettings,
    tenants,
  }: Pick<Snapshot, 'priceOverrides' | 'platformSettings' | 'tenants'>,
  {
    id,
    isServiceManaged,
    providerKey,
    tenantId,
  }: Pick<InstanceEntry, 'id' | 'isServiceManaged' | 'providerKey' | 'tenantId'>,
  model: string,
  atMs: number,
): TargetPrice {
  const overridesOf = (owner: number | string) => ({
    get: (name: string) => priceOverrides.find(owner).find((entry) => entry.model === name)?.price,
  });
  const price = findPrice(providerKey, model, [overridesOf(id), overridesOf(providerKey)], atMs);
  if (!isServiceManaged) return { price: price ?? findFallback(tenants.get(tenantId)), markupPercent: 0 };
  const settings = platformSettings.get(1);
  if (!settings) throw new Error('the snapshot has not been loaded');
  return { price, markupPercent: settings.markupPercent };
}

function findFallback(tenant: TenantEntry | undefined): Price | null {
  return tenant?.unpricedModels === 'fallback' ? tenant.fallbackPrice : null;
}
