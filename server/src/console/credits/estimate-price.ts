import { type PriceEstimate, toUsd } from '@sluice/contract';
import { holdOf } from '#domain/price/cost.ts';
import { ConsoleError } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { openPriceBook } from './price-book.ts';
import { findMarkup } from './store.ts';

interface EstimateQuery {
  provider: string;
  model: string;
  input_text: string;
  max_output_tokens: number;
}

export function estimatePrice(
  { principal, inTenant }: SignedInContext,
  { provider, model, input_text, max_output_tokens }: EstimateQuery,
): Promise<PriceEstimate> {
  return inTenant(async (tx) => {
    const priced = (await openPriceBook(tx, principal.tenantId)).find(provider, model);
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
  });
}

/** English prose has about four bytes per token; three leave room for code and other languages. */
const bytesPerToken = 3;

function countRoughly(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}
