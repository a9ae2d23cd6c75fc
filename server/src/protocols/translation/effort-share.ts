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
