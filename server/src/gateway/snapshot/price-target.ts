import { findPrice } from '#domain/price/catalogue.ts';
import type { Price } from '#domain/price/price.ts';
import type { Snapshot } from './snapshot.ts';
import type { InstanceEntry } from './tables/llm-providers.ts';
import type { TenantEntry } from './tables/tenants.ts';

/** Price of a model at an instance, as charged to the tenant. */
export interface ChargedPrice {
  readonly price: Price;
  /** 0 for self-managed instances, which the tenant pays directly. */
  readonly markupPercent: number;
}

/**
 * Returns the instance's own price, otherwise the provider's, otherwise the catalog's. Self-managed instances without
 * any of these get the tenant's fallback price. Returns `null` if no price is known. `atMs` is the time of receipt, so
 * that hold and settlement agree.
 */
export function priceTarget(
  snapshot: Pick<Snapshot, 'priceOverrides' | 'platformSettings' | 'tenants'>,
  instance: PricedInstance,
  model: string,
  atMs: number,
): ChargedPrice | null {
  const { isServiceManaged, providerKey, tenantId } = instance;
  const listed = findOverride(snapshot, instance, model) ?? findPrice(providerKey, model, [], atMs);
  const price = isServiceManaged ? listed : (listed ?? findFallback(snapshot.tenants.get(tenantId)));
  if (!price) return null;
  if (!isServiceManaged) return { price, markupPercent: 0 };
  const settings = snapshot.platformSettings.get(1);
  if (!settings) throw new Error('the snapshot has not been loaded');
  return { price, markupPercent: settings.markupPercent };
}

type PricedInstance = Pick<InstanceEntry, 'id' | 'isServiceManaged' | 'providerKey' | 'tenantId'>;

function findOverride(
  { priceOverrides }: Pick<Snapshot, 'priceOverrides'>,
  { id, providerKey }: PricedInstance,
  model: string,
): Price | undefined {
  if (priceOverrides.size === 0) return undefined;
  const findOf = (owner: number | string) =>
    priceOverrides.find(owner).find((entry) => entry.model === model)?.price;
  return findOf(id) ?? findOf(providerKey);
}

function findFallback(tenant: TenantEntry | undefined): Price | null {
  return tenant?.unpricedModels === 'fallback' ? tenant.fallbackPrice : null;
}
