import type { ModelFacts, ReasoningWish } from '../canonical/request.ts';
import { effortShares } from '../translation/effort-share.ts';

/** Maximum output of Cohere's models in tokens, thinking included, used if the caller sets no limit. */
const outputTokensMaxOfModels = 32_000;

/** Returns the field for a reasoning request, `null` if the model cannot think. Cohere has a budget but no effort. */
export function encodeThinking(
  wish: ReasoningWish | undefined,
  facts: ModelFacts | undefined,
  outputTokensMax = outputTokensMaxOfModels,
): object | null {
  if (wish === undefined) return {};
  const isOff = wish.effort === 'none' || wish.budgetTokens === 0;
  // Models that cannot think need no field to disable it.
  if (facts?.reasoning === false) return isOff ? {} : null;
  if (isOff) return { thinking: { type: 'disabled' } };
  const { effort, budgetTokens } = wish;
  const share = effort && Math.max(1, Math.floor(effortShares[effort] * outputTokensMax));
  const budget = budgetTokens ?? share;
  return { thinking: { type: 'enabled', ...(budget !== undefined && { token_budget: budget }) } };
}
