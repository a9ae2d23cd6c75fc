import type { Price } from '#domain/price/price.ts';
import { priceTarget } from '../snapshot/price-target.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { InstanceEntry } from '../snapshot/tables/llm-providers.ts';

/** Price charged for a model of an instance. */
export interface ChargedPrice {
  readonly price: Price;
  /** 0 for self-managed instances, which the tenant pays directly. */
  readonly markupPercent: number;
}

/** Returns the price at the request's receipt, so that hold and settlement agree; `null` if none is known. */
export function findChargedPrice(
  snapshot: Snapshot,
  instance: InstanceEntry,
  model: string,
  receivedAtMs: number,
): ChargedPrice | null {
  const { price, markupPercent } = priceTarget(snapshot, instance, model, receivedAtMs);
  return price && { price, markupPercent };
}
