import type { ReasoningEffort } from '../canonical/request.ts';

/** Share of the output cap that an effort may use for reasoning, for providers that require a budget. */
export const effortShares: Readonly<Record<ReasoningEffort, number>> = {
  none: 0,
  minimal: 0.1,
  low: 0.2,
  medium: 0.5,
  high: 0.8,
  xhigh: 0.95,
};

/** Returns a budget that leaves room for the response, since most providers count reasoning against the output cap. */
export function limitBudget(budgetTokens: number, outputTokensMax = Number.POSITIVE_INFINITY): number {
  return Math.max(1, Math.min(budgetTokens, Math.floor(effortShares.high * outputTokensMax)));
}
