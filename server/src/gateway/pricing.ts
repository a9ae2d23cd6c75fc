import { findPrice } from '#domain/price/find-price.ts';
import type { Price } from '#domain/price/price.ts';
import type { InstanceEntry, PriceOverrideEntry } from './snapshot/entries.ts';
import type { Snapshot } from './snapshot/snapshot.ts';

/** What a model of an instance is charged at. */
export interface ChargedPrice {
  readonly price: Price;
  /** 0 for self-managed instances, whose cost the tenant pays elsewhere. */
  readonly markupPercent: number;
}

/** From memory; an instance's own price goes before its provider's. `null` when no price is known. */
export function findChargedPrice(
  snapshot: Snapshot,
  instance: InstanceEntry,
  model: string,
): ChargedPrice | null {
  const overrides = [instance.id, instance.providerKey].map((owner) =>
    toMap(snapshot.priceOverrides.find(owner)),
  );
  const price = findPrice(instance.providerKey, model, overrides);
  const markup = snapshot.platformSettings.get(1)?.markupPercent ?? 0;
  return price && { price, markupPercent: instance.isServiceManaged ? markup : 0 };
}

function toMap(entries: readonly PriceOverrideEntry[]): ReadonlyMap<string, Price> {
  return entries.length === 0 ? noPrices : new Map(entries.map(({ model, price }) => [model, price]));
}

const noPrices: ReadonlyMap<string, Price> = new Map();
