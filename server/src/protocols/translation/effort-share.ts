import type { ReasoningEffort } from '../canonical/request.ts';

/** The share of the output cap that an effort may think through, for those who are told a budget. */
export const effortShares: Readonly<Record<ReasoningEffort, number>> = {
  none: 0,
  minimal: 0.1,
  low: 0.2,
  medium: 0.5,
  high: 0.8,
  xhigh: 0.95,
};
