import type { ReasoningWish } from '../canonical/request.ts';
import { effortShares } from '../translation/effort-share.ts';
import { isThinkingModel } from './model-traits.ts';

/** What Cohere's models write at most, thoughts included, when the caller names no cap. */
const outputTokensMaxOfModels = 32_000;

/** The wish in Cohere's terms, which know a budget but no effort; `null` where the model cannot think. */
export function encodeThinking(
  wish: ReasoningWish | undefined,
  model: string,
  outputTokensMax = outputTokensMaxOfModels,
): object | null {
  if (wish === undefined) return {};
  const isOff = wish.effort === 'none' || wish.budgetTokens === 0;
  // Not to think is what the others do anyway.
  if (!isThinkingModel(model)) return isOff ? {} : null;
  if (isOff) return { thinking: { type: 'disabled' } };
  const { effort, budgetTokens } = wish;
  const share = effort && Math.max(1, Math.floor(effortShares[effort] * outputTokensMax));
  const budget = budgetTokens ?? share;
  return { thinking: { type: 'enabled', ...(budget !== undefined && { token_budget: budget }) } };
}
