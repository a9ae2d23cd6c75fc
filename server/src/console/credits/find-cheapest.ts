import type { CheapestModel } from '@sluice/contract';
import { ConsoleError } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { listPricedModels } from './get-pricing.ts';
import { toModelPricing } from './price-book.ts';

/**
 * Compares the cost of a million input and a million output tokens; skips models without output, such as embeddings.
 */
export async function findCheapestModel(
  { principal, inTenant }: SignedInContext,
  { min_tokens, provider }: { min_tokens: number; provider?: string | undefined },
): Promise<CheapestModel> {
  const models = await inTenant((tx) => listPricedModels(tx, principal.tenantId, provider));
  const [cheapest] = models
    .flatMap(({ priced, ...model }) => (priced ? [{ ...model, priced }] : []))
    .filter(({ priced }) => (priced.contextTokens ?? 0) >= min_tokens)
    .filter(({ priced: { price } }) => price.base.output > 0n || price.base.input === 0n)
    .map((each) => ({ ...each, rate: each.priced.price.base.input + each.priced.price.base.output }))
    .sort((one, other) => Number(one.rate - other.rate) || one.model.localeCompare(other.model));
  if (!cheapest) throw new ConsoleError(404, 'No model with a known price has so large a context');
  const { provider: ofProvider, model, priced } = cheapest;
  return { provider: ofProvider, model, ...toModelPricing(priced) };
}
