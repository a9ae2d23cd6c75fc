import type { Price } from '#domain/price/price.ts';
import { priceTarget } from '../snapshot/price-target.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { InstanceEntry } from '../snapshot/tables/llm-providers.ts';

/** What a model of an instance is charged at. */
export interface ChargedPrice {
  readonly price: Price;
  /** 0 for self-managed instances, whose cost the tenant pays elsewhere. */
  readonly markupPercent: number;
}

/** The price at the time of the request's arrival, so that hold and settlement agree; `null` when none is known. */
export function findChargedPrice(
  snapshot: Snapshot,
  instance: InstanceEntry,
  model: string,
  receivedAtMs: number,
): ChargedPrice | null {
  const { price, markupPercent } = priceTarget(snapshot, instance, model, receivedAtMs);
  return price && { price, markupPercent };
}
