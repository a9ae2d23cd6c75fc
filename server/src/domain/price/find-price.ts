import { findListedModel } from './catalogue.ts';
import type { Price } from './price.ts';
import { readPrice } from './price-json.ts';

/** Prices set by administrators, by model; the first entry with the model applies. */
export type PriceOverrides = readonly { get(model: string): Price | undefined }[];

/** Returns the price of a model at an instant; `null` if unknown, which never means free. */
export function findPrice(
  providerKey: string,
  model: string,
  overrides: PriceOverrides = [],
  atMs = Date.now(),
): Price | null {
  for (const prices of overrides) {
    const price = prices.get(model);
    if (price) return price;
  }
  if (providerKey === 'sandbox') return model.startsWith('sandbox-') ? sandboxPrice : null;
  return findListedModel(providerKey, model, atMs)?.price ?? null;
}

/** Fictitious, so that prices, credits and budgets can be tested without a provider account. */
const sandboxPrice = readPrice({
  input: 0.5,
  cache_read: 0.05,
  cache_write: 0.625,
  cache_write_hour: 1,
  output: 2,
});
