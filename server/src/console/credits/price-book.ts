import type { ModelPricing } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import { findListedModel } from '#domain/price/catalogue.ts';
import { findPrice } from '#domain/price/find-price.ts';
import type { Price } from '#domain/price/price.ts';
import { readPrice, toPriceJson } from '#domain/price/price-json.ts';
import { selectOverrides } from './store.ts';

/** Prices as one tenant sees them; a price of an instance overrides that of its provider. */
export interface PriceBook {
  /** Returns `null` if no price is known. */
  find(providerKey: string, model: string, llmProviderId?: number): PricedModel | null;
}

export interface PricedModel {
  readonly price: Price;
  /** Context size in tokens; `null` if unknown. */
  readonly contextTokens: number | null;
}

export async function openPriceBook(tx: TenantTransaction, tenantId: number): Promise<PriceBook> {
  const rows = await selectOverrides(tx, tenantId);
  const byOwner = Map.groupBy(rows, ({ llmProviderId, providerKey }) => llmProviderId ?? providerKey);
  const pricesByOwner = new Map(
    [...byOwner].map(([owner, own]) => [
      owner,
      new Map(own.map(({ model, price }) => [model, readPrice(price)])),
    ]),
  );
  const pricesOf = (owner: number | string) => pricesByOwner.get(owner) ?? new Map<string, Price>();
  const atMs = Date.now();
  return {
    find(providerKey, model, llmProviderId) {
      const ofInstance = llmProviderId === undefined ? [] : [pricesOf(llmProviderId)];
      const price = findPrice(providerKey, model, [...ofInstance, pricesOf(providerKey)], atMs);
      const contextTokens = findListedModel(providerKey, model, atMs)?.contextTokens ?? null;
      return price && { price, contextTokens };
    },
  };
}

export function toModelPricing({ price, contextTokens }: PricedModel): ModelPricing {
  return {
    input_per_1k: perThousand(price.base.input),
    output_per_1k: perThousand(price.base.output),
    max_tokens: contextTokens,
    price: toPriceJson(price),
  };
}

/** Converts nano-dollars per million tokens to dollars per thousand. */
function perThousand(rate: bigint): number {
  return Number(rate) / 1e12;
}
