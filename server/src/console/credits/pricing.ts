import { type CheapestModel, type PriceEstimate, type Pricing, toUsd } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import { listModels } from '#domain/price/catalogue.ts';
import { holdOf } from '#domain/price/cost.ts';
import type { Author } from '#domain/principal.ts';
import { ConsoleError } from '#errors/console-error.ts';
import { openPriceBook, type PricedModel, toModelPricing } from './price-book.ts';
import { findMarkup, selectInstances } from './store.ts';

/**
 * Returns model prices, keyed by `provider/model`, or by model if a provider is specified. With a provider, a
 * requested model is included even if it has no price.
 */
export async function getPricing(
  tx: TenantTransaction,
  author: Author,
  { provider, model }: { provider?: string | undefined; model?: string | undefined },
): Promise<Pricing> {
  const models = await listPricedModels(tx, author.tenantId, provider, model);
  const entries = models
    .filter((each) => model === undefined || each.model === model)
    .map((each) => [
      provider === undefined ? `${each.provider}/${each.model}` : each.model,
      each.priced && toModelPricing(each.priced),
    ]);
  return { markup_percentage: await findMarkup(tx), models: Object.fromEntries(entries) };
}

export interface ModelOfProvider {
  readonly provider: string;
  readonly model: string;
  readonly priced: PricedModel | null;
}

/** Lists models enabled by the tenant's instances. If a provider is specified, also lists its models in the catalog. */
async function listPricedModels(
  tx: TenantTransaction,
  tenantId: number,
  provider?: string,
  asked?: string,
): Promise<ModelOfProvider[]> {
  const book = await openPriceBook(tx, tenantId);
  const instances = await selectInstances(tx, tenantId);
  const enabled = instances
    .filter(({ providerKey }) => provider === undefined || providerKey === provider)
    .flatMap(({ id, providerKey, enabledModels }) =>
      enabledModels.map((model) => ({
        provider: providerKey,
        model,
        priced: book.find(providerKey, model, id),
      })),
    );
  if (provider === undefined) return enabled;
  const names = [...listModels(provider, Date.now()).map(({ model }) => model), ...(asked ? [asked] : [])];
  const listed = names.map((model) => ({ provider, model, priced: book.find(provider, model) }));
  return [...listed, ...enabled];
}

/** Skips models without an output price, such as embedding models, unless they are free. */
export async function findCheapestModel(
  tx: TenantTransaction,
  author: Author,
  { min_tokens, provider }: { min_tokens: number; provider?: string | undefined },
): Promise<CheapestModel> {
  const models = await listPricedModels(tx, author.tenantId, provider);
  const [cheapest] = models
    .flatMap(({ priced, ...model }) => (priced ? [{ ...model, priced }] : []))
    .filter(({ priced }) => (priced.contextTokens ?? 0) >= min_tokens)
    .filter(({ priced: { price } }) => price.base.output > 0n || price.base.input === 0n)
    .map((each) => ({ ...each, rate: each.priced.price.base.input + each.priced.price.base.output }))
    .sort((one, other) => Number(one.rate - other.rate) || one.model.localeCompare(other.model));
  if (!cheapest) throw new ConsoleError(404, describeNone(models, min_tokens));
  const { provider: ofProvider, model, priced } = cheapest;
  return { provider: ofProvider, model, ...toModelPricing(priced) };
}

function describeNone(models: readonly ModelOfProvider[], minTokens: number): string {
  const unknown = models.filter(({ priced }) => priced !== null && priced.contextTokens === null).length;
  const reason = `No model with a known price is known to have a context window of ${formatCount(minTokens)} tokens or more.`;
  if (unknown === 0) return reason;
  return `${reason} The context window of ${unknown === 1 ? '1 model' : `${formatCount(unknown)} models`} is unknown.`;
}

const formatCount = (count: number) => count.toLocaleString('en-US');

interface EstimateQuery {
  provider: string;
  model: string;
  input_text: string;
  max_output_tokens: number;
}

export async function estimatePrice(
  tx: TenantTransaction,
  author: Author,
  { provider, model, input_text, max_output_tokens }: EstimateQuery,
): Promise<PriceEstimate> {
  const priced = (await openPriceBook(tx, author.tenantId)).find(provider, model);
  if (!priced) throw new ConsoleError(404, `No price is known for ${provider}/${model}`);
  const markup = await findMarkup(tx);
  const bounds = { inputTokens: countRoughly(input_text), outputTokens: max_output_tokens };
  return {
    provider,
    model,
    input_tokens: bounds.inputTokens,
    max_output_tokens,
    provider_cost: toUsd(holdOf(bounds, priced.price, 0)),
    markup_percentage: markup,
    total_cost: toUsd(holdOf(bounds, priced.price, markup)),
  };
}

/** English prose has about four bytes per token. A value of three also covers code and other languages. */
const bytesPerToken = 3;

function countRoughly(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}
