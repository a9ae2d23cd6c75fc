import type { ModelPricing } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import { findListedModel, findPrice, listUnmeteredUnits } from '#domain/price/catalogue.ts';
import { type Price, readPrice, toPriceJson } from '#domain/price/price.ts';
import { invalidField } from '#errors/console-error.ts';
import { selectOverrides } from './store.ts';

/** Prices that apply to a tenant. The price of an instance takes precedence over the price of its provider. */
export interface PriceBook {
  /** Returns a model's price, or `null` if it is unknown. */
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

/** Converts nano-dollars per million tokens to dollars per thousand tokens. */
function perThousand(rate: bigint): number {
  return Number(rate) / 1e12;
}

/**
 * Checks that credits cover all charges of the given models.
 * @throws ConsoleError 422 that names a model without a price or with charges that credits do not cover
 */
export async function requirePrices(
  tx: TenantTransaction,
  tenantId: number,
  { id, providerKey, enabledModels }: { id?: number; providerKey: string; enabledModels: readonly string[] },
): Promise<void> {
  const book = await openPriceBook(tx, tenantId);
  const atMs = Date.now();
  for (const model of enabledModels) {
    const [unit] = listUnmeteredUnits(providerKey, model, atMs);
    if (unit === undefined) continue;
    throw invalidField(
      'enabled_models',
      `'${model}' also charges for ${unit}, which credits do not cover. Remove it from the models of this service-managed provider.`,
    );
  }
  const unpriced = enabledModels.find((model) => book.find(providerKey, model, id) === null);
  if (unpriced !== undefined) {
    throw invalidField(
      'enabled_models',
      `No price is known for '${unpriced}', so a service-managed provider cannot offer it`,
    );
  }
}
