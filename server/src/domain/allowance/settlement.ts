import { type AllowanceKind, countsRequests } from './window.ts';

export interface Outcome {
  /** Whether a provider may have received the request, or the gateway itself responded. */
  readonly isServed: boolean;
  readonly tokens: number;
  /** Cost in credits; 0 for instances that the tenant pays for directly. */
  readonly costNanoUsd: number;
  /** Cost at the instance's price, even if the tenant pays for the instance directly; 0 if the price is unknown. */
  readonly spentNanoUsd: number;
}

/**
 * Returns the amount of an allowance that an ended request used. The amount is 0 if no provider received the request.
 * It is also 0 for `parallel_requests`, whose hold is released completely.
 */
export function usedAmount(kind: AllowanceKind, outcome: Outcome): number {
  if (kind === 'parallel_requests') return 0;
  if (countsRequests(kind)) return outcome.isServed ? 1 : 0;
  if (kind === 'credits') return outcome.costNanoUsd;
  return kind === 'usd_budget' ? outcome.spentNanoUsd : outcome.tokens;
}

export interface CountedTokens {
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly cacheWriteHourTokens?: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

export function sumTokens({
  inputTokens,
  cacheReadTokens,
  cacheWriteTokens,
  outputTokens,
}: CountedTokens): number {
  return inputTokens + cacheReadTokens + cacheWriteTokens + outputTokens;
}

/** Reduces output first. Returns `null` if no reduction is needed. */
export function cutUsage<Usage extends CountedTokens>(usage: Usage, tokensMax: number): Usage | null {
  let excess = sumTokens(usage) - tokensMax;
  if (excess <= 0) return null;
  const cut = (tokens: number) => {
    const taken = Math.min(tokens, excess);
    excess -= taken;
    return tokens - taken;
  };
  const outputTokens = cut(usage.outputTokens);
  const inputTokens = cut(usage.inputTokens);
  const cacheWriteTokens = cut(usage.cacheWriteTokens);
  const cacheReadTokens = cut(usage.cacheReadTokens);
  const reasoningTokens = Math.min(usage.reasoningTokens, outputTokens);
  const hour = usage.cacheWriteHourTokens;
  return {
    ...usage,
    ...{ inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens },
    ...(hour !== undefined && { cacheWriteHourTokens: Math.min(hour, cacheWriteTokens) }),
  };
}
