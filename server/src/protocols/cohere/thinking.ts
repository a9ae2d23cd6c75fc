import type { ModelFacts, ReasoningWish } from '../canonical/request.ts';
import { effortShares, limitBudget } from '../translation/thinking-budget.ts';

/** Maximum output of Cohere's models in tokens, thinking included, used if the caller sets no limit. */
const outputTokensMaxOfModels = 32_000;

/**
 * Returns the field for a reasoning request. Cohere has a budget but no effort. `warn` is called if the model cannot
 * think, or not that much within its output.
 */
export function encodeThinking(
  wish: ReasoningWish | undefined,
  facts: ModelFacts | undefined,
  outputTokensMax: number | undefined,
  warn: (name: string) => void,
): object {
  if (wish === undefined) return {};
  const isOff = wish.effort === 'none' || wish.budgetTokens === 0;
  // Models that cannot think need no field to disable it.
  if (facts?.reasoning === false) {
    if (!isOff) warn('reasoning_effort');
    return {};
  }
  if (isOff) return { thinking: { type: 'disabled' } };
  const { effort, budgetTokens } = wish;
  const capTokens = outputTokensMax ?? outputTokensMaxOfModels;
  const share = effort && Math.max(1, Math.floor(effortShares[effort] * capTokens));
  const budget = budgetTokens === undefined ? share : limitBudget(budgetTokens, capTokens);
  if (budgetTokens !== undefined && budget !== budgetTokens) warn('reasoning_effort');
  return { thinking: { type: 'enabled', ...(budget !== undefined && { token_budget: budget }) } };
}
