import type { ReasoningEffort, ReasoningWish } from './canonical/request.ts';

/** The share of the output cap that an effort may think through, for those who are told a budget. */
export const effortShares: Readonly<Record<ReasoningEffort, number>> = {
  none: 0,
  minimal: 0.1,
  low: 0.2,
  medium: 0.5,
  high: 0.8,
  xhigh: 0.95,
};

/** The effort of a wish; a budget in tokens is about the effort that all reasoning models know. */
export function resolveEffort({ effort, budgetTokens }: ReasoningWish): ReasoningEffort | undefined {
  if (effort !== undefined || budgetTokens === undefined) return effort;
  if (budgetTokens === 0) return 'none';
  if (budgetTokens <= 2_048) return 'low';
  return budgetTokens <= 16_384 ? 'medium' : 'high';
}
