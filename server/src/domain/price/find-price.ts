import { findListedModel } from './catalogue.ts';
import type { Price } from './price.ts';
import { readPrice } from './price-json.ts';

/** Prices that an administrator has set, by model; the first that knows a model wins. */
export type PriceOverrides = readonly { get(model: string): Price | undefined }[];

/** What a model costs at an instant; `null` when no price is known, which is never the same as free. */
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

/** Pretended, so that prices, credits and budgets can be tried without an account anywhere. */
const sandboxPrice = readPrice({
  input: 0.5,
  cache_read: 0.05,
  cache_write: 0.625,
  cache_write_hour: 1,
  output: 2,
});
