import { type AllowanceKind, countsRequests } from './window.ts';

/** Result of a request. */
export interface Outcome {
  /** Whether a provider may have received the request, or the gateway itself responded. */
  readonly isServed: boolean;
  readonly tokens: number;
  /** Cost in credits; 0 for instances that the tenant pays directly. */
  readonly costNanoUsd: number;
  /** Cost at the price of the instance, even if the tenant pays it directly; 0 if no price is known. */
  readonly spentNanoUsd: number;
}

/**
 * Returns the amount of an allowance that an ended request used. It is zero if no provider received the request, and
 * always for `parallel_requests`, whose whole hold is released.
 */
export function usedAmount(kind: AllowanceKind, outcome: Outcome): number {
  if (kind === 'parallel_requests') return 0;
  if (countsRequests(kind)) return outcome.isServed ? 1 : 0;
  if (kind === 'credits') return outcome.costNanoUsd;
  return kind === 'usd_budget' ? outcome.spentNanoUsd : outcome.tokens;
}

/** Token counts as stored in a log row. */
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

/** Cuts usage to the total that a row can store, output first. Returns `null` if nothing has to be cut. */
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
