import type { ReasoningEffort, ReasoningOptions } from '../canonical/request.ts';

/**
 * Returns the effort of a reasoning request: the requested effort, the effort closest to the budget, or a medium one
 * if reasoning is only turned on. Returns `undefined` if the request sets none of them.
 */
export function readEffort(options: ReasoningOptions | undefined): ReasoningEffort | undefined {
  return options?.effort ?? estimateEffort(options?.budgetTokens) ?? (options?.isOn && 'medium');
}

/** Maps a token budget to the nearest effort that all reasoning models accept. */
export function estimateEffort(budgetTokens: number | undefined): ReasoningEffort | undefined {
  if (budgetTokens === undefined) return undefined;
  if (budgetTokens === 0) return 'none';
  if (budgetTokens <= 2_048) return 'low';
  return budgetTokens <= 16_384 ? 'medium' : 'high';
}
