import type { AllowanceKind } from './kind.ts';

/** What a request has come to. */
export interface Outcome {
  /** A provider may have seen it, or the gate has answered it without one. */
  readonly isServed: boolean;
  readonly tokens: number;
  readonly costNanoUsd: number;
}

/** What an ended request has used of an allowance: one that no provider has seen is as if it had never been. */
export function usedOf(kind: AllowanceKind, { isServed, tokens, costNanoUsd }: Outcome): number {
  if (kind === 'requests_per_hour') return isServed ? 1 : 0;
  return kind === 'credits' ? costNanoUsd : tokens;
}

/** Tokens as a row has them. */
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

/** Cuts to what a row can hold in all, the output first. `null` when nothing has to be cut. */
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
